import http from 'node:http';
import { type Listening, listening } from '../listening.ts';
import type { Bundle } from './bundle.ts';

/** Serves one page for each bundle, at /name. `fallback` handles all other requests. */
export async function openBareSite(
  pages: Record<string, { bundle: Bundle; body: string; css?: string }>,
  fallback: http.RequestListener = (_, response) => response.writeHead(404).end(),
): Promise<Listening> {
  const server = http.createServer((request, response) => {
    const [, name = '', file] = (request.url ?? '').split('/');
    const page = pages[name];
    if (!page) return fallback(request, response);
    const isScript = file === 'script.js';
    response.writeHead(200, {
      'content-type': `text/${isScript ? 'javascript' : 'html'}; charset=utf-8`,
    });
    response.end(isScript ? page.bundle.script : documentOf(name, page));
  });
  return listening(server);
}

function documentOf(
  name: string,
  { bundle, body, css = '' }: { bundle: Bundle; body: string; css?: string },
): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport"
content="width=device-width, initial-scale=1"><title>${name}</title><link rel="icon" href="data:,">
<style>${bundle.css}${css}</style></head><body>${body}<script src="/${name}/script.js"></script></body></html>`;
}
