import { htmlEscaped } from '#domain/text.ts';
import type { openapiDocument } from './document.ts';

type Document = ReturnType<typeof openapiDocument>;
type Described = Document['paths'][string][string];

const pageStyle = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h2 { margin: 2rem 0 0.5rem; }
h3 { margin: 0.75rem 0 0; font-size: 1rem; }
details { border: 1px solid var(--line); border-radius: 8px; margin: 0.4rem 0; padding: 0 0.9rem; }
summary { cursor: pointer; padding: 0.5rem 0; overflow-wrap: anywhere; }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; }
summary code { font-weight: 600; }
.get { color: #2f7d4f; }
.post { color: #2f6fb0; }
.put { color: #a8701a; }
.delete { color: #b8433a; }
pre { overflow-x: auto; border-left: 3px solid var(--line); padding: 0.25rem 0.75rem; margin: 0.4rem 0; }
`;

/** The OpenAPI document as an HTML page for development, without scripts or resources of other hosts. */
export function referencePage(document: Document): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method, call })),
  );
  const groups = document.tags.map(({ name }) => {
    const own = calls.filter(({ call }) => call.tags.includes(name));
    return `<h2>${htmlEscaped(name)}</h2>${own.map(callHtml).join('')}`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="${htmlEscaped(name)}"><summary>${htmlEscaped(name)}</summary>${pre(schema)}</details>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sprig: the API</title>
<style>${pageStyle}</style>
<main>
<h1>Sprig: the API</h1>
${document.info.description
  .split('\n\n')
  .map((part) => `<p>${inline(part)}</p>`)
  .join('')}
<p>For programs: <a href="openapi.json">openapi.json</a></p>
${groups.join('\n')}
<h2>Schemas</h2>
${schemas.join('\n')}
</main>
</html>
`;
}

function callHtml({ path, method, call }: { path: string; method: string; call: Described }) {
  const { summary, description, security, parameters = [], requestBody, responses } = call;
  const callers = security.flatMap((scheme) => Object.keys(scheme)).join(' or ') || 'anybody';
  const items = Object.entries(responses).map(
    ([status, response]) => `<li><b>${status}</b> ${reference(response)}</li>`,
  );
  return `<details>
<summary><code class="${method}">${method.toUpperCase()}</code> <code>${htmlEscaped(path)}</code> ${htmlEscaped(summary)}</summary>
${description ? `<p>${inline(description)}</p>` : ''}
<p>Open to: ${htmlEscaped(callers)}</p>
${parameters.length > 0 ? `<h3>Parameters</h3><ul>${parameters.map(parameterHtml).join('')}</ul>` : ''}
${requestBody ? `<h3>Body</h3>${pre(requestBody.content)}` : ''}
<h3>Responses</h3>
<ul>${items.join('')}</ul>
</details>`;
}

function parameterHtml(parameter: object): string {
  if (!('name' in parameter)) return `<li>${reference(parameter)}</li>`;
  const { name, description, schema } = parameter as Record<string, unknown>;
  return `<li><code>${htmlEscaped(String(name))}</code> ${inline(String(description ?? ''))} ${pre(schema)}</li>`;
}

/** The name of a $ref, or the description and content of an inline part. */
function reference(part: object): string {
  if ('$ref' in part) return htmlEscaped(String(part.$ref).replace(/^.*\//, ''));
  const { description, content } = part as { description?: string; content?: unknown };
  return `${inline(description ?? '')}${content ? pre(content) : ''}`;
}

/** Formatted JSON in which every named schema is a link. */
function pre(part: unknown): string {
  const text = htmlEscaped(JSON.stringify(part, null, 2));
  return `<pre>${text.replaceAll(/#\/components\/schemas\/(\w+)/g, '<a href="#$1">$1</a>')}</pre>`;
}

function inline(text: string): string {
  return htmlEscaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
