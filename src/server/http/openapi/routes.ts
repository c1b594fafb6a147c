import type { App, AppDeps } from '../app-deps.ts';
import { contentEtag, sendUnlessMatched } from '../etag.ts';
import { openapiDocument } from './document.ts';
import { referencePage } from './page.ts';
import { servicePaths } from './service-paths.ts';

/** Health check for load balancers: 200 while the database responds, otherwise the error handler's 503. */
export function healthRoute(app: App, deps: AppDeps): void {
  app.get(servicePaths.health, async () => {
    await deps.db.pool.query('SELECT 1');
    return { status: 'ok' };
  });
}

/** The OpenAPI document, and in development a page that shows it. Public: neither contains anybody's data. */
export function apiDocumentRoutes(app: App, options: { withPage: boolean }): void {
  let cached: { json: string; etag: string } | undefined;

  app.get(servicePaths.document, async (request, reply) => {
    cached ??= documentWithEtag();
    return sendUnlessMatched(request, reply, cached.json, cached.etag);
  });

  if (!options.withPage) return;
  app.get(servicePaths.page, async (_, reply) =>
    reply.type('text/html; charset=utf-8').send(referencePage(openapiDocument())),
  );
}

function documentWithEtag() {
  const json = JSON.stringify(openapiDocument());
  return { json, etag: contentEtag(json) };
}
