import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, '' for none: what a repeated request is recognised by. */
    rawBody: string;
  }
}

/** JSON bodies, parsed without prototype tricks, with their text kept; an empty body is no body. */
export function readJsonBodies(app: FastifyInstance): void {
  app.decorateRequest('rawBody', '');
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    request.rawBody = String(body);
    if (body === '') done(null, undefined);
    else parse(request, String(body), done);
  });
}
