import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { App } from './app-deps.ts';
import { handleUnknownPath } from './error-responses.ts';

/** Serves the built client: hashed assets cached for a year, other files revalidated, app routes get the shell. */
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
  // The handlers return nothing: for a returned reply, Fastify adds more listeners to each response than Node expects.
  // The landing page is prerendered, so that it shows before the app has loaded; the app redirects signed-in visitors.
  for (const url of ['/', '/landing']) {
    app.get(url, (_, reply) => void reply.sendFile('landing.html'));
  }
  // The prerendered form has no place for messages, so a URL with a query gets the plain shell.
  app.get('/signin', (request, reply) => {
    reply.sendFile(request.url === '/signin' ? 'signin.html' : 'index.html');
  });
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (!isPage || isServerPath(request.url)) handleUnknownPath(request, reply);
    else reply.sendFile('index.html');
  });
}

/** Paths that are never a screen: the API, and missing files, for which the response must not be the shell. */
function isServerPath(url: string): boolean {
  const [pathname = ''] = url.split('?');
  return /^\/(api|auth)(\/|$)/.test(pathname) || /\.[a-z0-9]+$/i.test(pathname);
}
