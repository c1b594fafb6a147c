import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app-deps.ts';
import { handleUnknownPath } from './error-responses.ts';
import { contentEtag, sendUnlessMatched } from './etag.ts';

/** Files without a hash in their names. They refer to the assets, whose names contain a hash. */
type UnhashedFile = 'landing.html' | 'signin.html' | 'index.html' | 'sw.js';

/** Serves the built client: hashed assets cached for a year, other files revalidated, app routes get `index.html`. */
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

  /**
   * The ETag is a hash of the content. @fastify/static derives its ETags from size and time, and both may be the same
   * for two builds, for example in a container image with fixed times. Browsers would then keep the older file.
   */
  async function sendUnhashed(request: FastifyRequest, reply: FastifyReply, name: UnhashedFile) {
    const content = await readIfPresent(path.join(clientDir, name));
    if (!content) return reply.callNotFound();
    const type = name === 'sw.js' ? 'application/javascript' : 'text/html';
    return sendUnlessMatched(request, reply, content, contentEtag(content), {
      type: `${type}; charset=utf-8`,
      cacheControl: 'no-cache',
    });
  }

  // The landing page is prerendered, so that it shows before the app has loaded; the app redirects signed-in visitors.
  for (const url of ['/', '/landing']) {
    app.get(url, (request, reply) => sendUnhashed(request, reply, 'landing.html'));
  }
  // With a query the screen may show a message, which the prerendered form does not contain. The response is then the
  // plain index.html.
  app.get('/signin', (request, reply) => {
    const name = request.url === '/signin' ? 'signin.html' : 'index.html';
    return sendUnhashed(request, reply, name);
  });
  app.get('/sw.js', (request, reply) => sendUnhashed(request, reply, 'sw.js'));
  app.setNotFoundHandler((request, reply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (!isPage || isServerPath(request)) return handleUnknownPath(request, reply);
    return sendUnhashed(request, reply, 'index.html');
  });
}

/**
 * Whether the response must not be `index.html`: for a path of the API or the health check, and for a missing file
 * unless a browser opens it as a page.
 */
function isServerPath({ url, headers }: FastifyRequest): boolean {
  const [pathname = ''] = url.split('?');
  if (/^\/(api|auth|healthz)(\/|$)/.test(pathname)) return true;
  return /\.[a-z0-9]+$/i.test(pathname) && !headers.accept?.includes('text/html');
}

/** Null if there is no such file. */
async function readIfPresent(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
