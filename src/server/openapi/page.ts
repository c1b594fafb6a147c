import type { openapiDocument } from './document.ts';
import { pageStyle } from './page-style.ts';

type Document = ReturnType<typeof openapiDocument>;
type Described = Document['paths'][string][string];

/** The document as a page to read while developing. Needs no script and nothing from elsewhere. */
export function referencePage(document: Document): string {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method, call })),
  );
  const groups = document.tags.map(({ name }) => {
    const own = calls.filter(({ call }) => call.tags.includes(name));
    return `<h2>${escaped(name)}</h2>${own.map(callHtml).join('')}`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="${escaped(name)}"><summary>${escaped(name)}</summary>${pre(schema)}</details>`,
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
  const may = security.flatMap((way) => Object.keys(way)).join(' or ') || 'anybody';
  const answers = Object.entries(responses).map(
    ([status, answer]) => `<li><b>${status}</b> ${reference(answer)}</li>`,
  );
  return `<details>
<summary><code class="${method}">${method.toUpperCase()}</code> <code>${escaped(path)}</code> ${escaped(summary)}</summary>
${description ? `<p>${inline(description)}</p>` : ''}
<p>Open to: ${escaped(may)}</p>
${parameters.length > 0 ? `<h3>Parameters</h3><ul>${parameters.map(parameterHtml).join('')}</ul>` : ''}
${requestBody ? `<h3>Body</h3>${pre(requestBody.content)}` : ''}
<h3>Answers</h3>
<ul>${answers.join('')}</ul>
</details>`;
}

function parameterHtml(parameter: object): string {
  if (!('name' in parameter)) return `<li>${reference(parameter)}</li>`;
  const { name, description, schema } = parameter as Record<string, unknown>;
  return `<li><code>${escaped(String(name))}</code> ${inline(String(description ?? ''))} ${pre(schema)}</li>`;
}

/** What is written here, or the last part of where it is written. */
function reference(part: object): string {
  if ('$ref' in part) return escaped(String(part.$ref).replace(/^.*\//, ''));
  const { description, content } = part as { description?: string; content?: unknown };
  return `${inline(description ?? '')}${content ? pre(content) : ''}`;
}

/** JSON, with every named schema a link. */
function pre(part: unknown): string {
  const text = escaped(JSON.stringify(part, null, 2));
  return `<pre>${text.replaceAll(/#\/components\/schemas\/(\w+)/g, '<a href="#$1">$1</a>')}</pre>`;
}

function inline(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
