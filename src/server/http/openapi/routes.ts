import type { App, AppDeps } from '../app-deps.ts';
import { contentEtag, sendUnlessMatched } from '../etag.ts';
import { openapiDocument } from './document.ts';
import { referencePage } from './page.ts';
import { servicePaths } from './service-paths.ts';

/**
 * Health check for load balancers: 200 while the database responds, otherwise the error handler's 503. Checks that
 * arrive together share one query, because no limit applies to them and the pool's connections are few.
 */
export function healthRoute(app: App, deps: AppDeps): void {
  let query: Promise<unknown> | undefined;
  app.get(servicePaths.health, async () => {
    query ??= deps.db.pool.query('SELECT 1').finally(() => {
      query = undefined;
    });
    await query;
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
