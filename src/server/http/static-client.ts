import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { answerUnknownPath } from './error-answers.ts';
import type { App } from './validation.ts';

/** The built client: hashed assets for ever, everything else asked for again, app routes answered by the shell. */
export async function serveClient(app: App, clientDir: string): Promise<void> {
  const hashedAssets = path.join(clientDir, 'assets', path.sep);
  await app.register(fastifyStatic, {
    root: clientDir,
    index: false,
    cacheControl: false,
    setHeaders: (reply, file) => {
      const cache = file.startsWith(hashedAssets)
        ? 'public, max-age=31536000, immutable'
        : 'no-cache';
      reply.setHeader('cache-control', cache);
    },
  });
  // The same page as the app's own, without waiting for the app; it sends a signed-in visitor on.
  for (const address of ['/', '/landing']) {
    app.get(address, (_, reply) => reply.sendFile('landing.html'));
  }
  // The same shell with a picture of the form, which has room for no news: what an address says beside is the app's.
  app.get('/signin', (request, reply) =>
    reply.sendFile(request.url === '/signin' ? 'signin.html' : 'index.html'),
  );
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
