import http from 'node:http';
import { brotliCompressSync } from 'node:zlib';
import { type Listening, listening } from '../listening.ts';

/**
 * Serves another server's pages, either unchanged or without scripts. Both kinds pass through this proxy, so that they
 * differ in their scripts only.
 */
export async function openMirror(
  upstream: string,
  { isScriptless = false } = {},
): Promise<Listening> {
  const server = http.createServer((request, response) => {
    const isPage = request.headers['sec-fetch-dest'] === 'document';
    const headers = { ...request.headers };
    if (isPage) headers['accept-encoding'] = 'identity';
    const asked = http.get(`${upstream}${request.url}`, { headers }, (incoming) => {
      if (!isPage) {
        response.writeHead(incoming.statusCode ?? 502, incoming.headers);
        incoming.pipe(response);
        return;
      }
      void pageOf(incoming).then((page) => {
        const body = brotliCompressSync(isScriptless ? withoutScripts(page) : page);
        const { 'content-length': _, link: __, ...rest } = incoming.headers;
        response.writeHead(incoming.statusCode ?? 502, { ...rest, 'content-encoding': 'br' });
        response.end(body);
      });
    });
    asked.on('error', () => response.destroy());
  });
  return listening(server);
}

async function pageOf(incoming: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function withoutScripts(page: string): string {
  const bare = page
    .replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
    .replaceAll(/<link\b[^>]*rel="?modulepreload[^>]*>/g, '');
  if (bare === page) throw new Error('The page has no script to remove');
  return bare;
}
