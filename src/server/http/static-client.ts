import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { answerUnknownPath } from './error-answers.ts';
import type { App } from './validation.ts';

/** The built client: hashed assets for ever, everything else asked for again, app routes answered by the shell. */
export async function serveClient(app: App, clientDir: string): Promise<void> {
  const hashedAssets = path.join(clientDir, 'assets', path.sep);
  await app.register(fastifyStatic, {
    root: clientDir,
    cacheControl: false,
    setHeaders: (reply, file) => {
      const cache = file.startsWith(hashedAssets)
        ? 'public, max-age=31536000, immutable'
        : 'no-cache';
      reply.setHeader('cache-control', cache);
    },
  });
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (!isPage || isServerPath(request.url)) return answerUnknownPath(request, reply);
    return reply.sendFile('index.html');
  });
}

/** Paths that never are a screen: the API, and files that would otherwise come back as the shell. */
function isServerPath(url: string): boolean {
  const [pathname = ''] = url.split('?');
  return /^\/(api|auth)(\/|$)/.test(pathname) || /\.[a-z0-9]+$/i.test(pathname);
}
