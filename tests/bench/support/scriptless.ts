import { once } from 'node:events';
import http from 'node:http';
import { brotliCompressSync } from 'node:zlib';

/** A server's pages at another address, as they are or without any script. */
export interface Mirror {
  url: string;
  close: () => Promise<void>;
}

/** Both kinds pass through the same hands, so that only the scripts tell them apart. */
export async function openMirror(upstream: string, { isScriptless = false } = {}): Promise<Mirror> {
  const server = http.createServer((request, response) => {
    const isPage = request.headers['sec-fetch-dest'] === 'document';
    const headers = { ...request.headers };
    if (isPage) headers['accept-encoding'] = 'identity';
    const asked = http.get(`${upstream}${request.url}`, { headers }, (answer) => {
      if (!isPage) {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        return;
      }
      void pageOf(answer).then((page) => {
        const body = brotliCompressSync(isScriptless ? withoutScripts(page) : page);
        const { 'content-length': _, link: __, ...rest } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, { ...rest, 'content-encoding': 'br' });
        response.end(body);
      });
    });
    asked.on('error', () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function pageOf(answer: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function withoutScripts(page: string): string {
  const bare = page
    .replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, '')
    .replaceAll(/<link\b[^>]*rel="?modulepreload[^>]*>/g, '');
  if (bare === page) throw new Error('The page has no script to take away');
  return bare;
}
