import type { App, AppDeps } from '../app-deps.ts';
import { contentEtag, sendUnlessMatched } from '../etag.ts';
import { openapiDocument } from './document.ts';
import { referencePage } from './page.ts';
import { servicePaths } from './service-paths.ts';

/** How long health checks share a query, ms. One that hangs must not make later checks wait too. */
const shareForMs = 1_000;

interface SharedQuery {
  /** ms */
  startedAt: number;
  result: Promise<unknown>;
}

/**
 * Health check for load balancers: 200 while the database responds, otherwise the error handler's 503. Checks that
 * arrive together share one query, because no limit applies to them and the pool's connections are few.
 */
export function healthRoute(app: App, deps: AppDeps): void {
  let shared: SharedQuery | undefined;

  function startQuery(startedAt: number): SharedQuery {
    const query: SharedQuery = {
      startedAt,
      result: deps.db.pool.query('SELECT 1').finally(() => {
        if (shared === query) shared = undefined;
      }),
    };
    return query;
  }

  app.get(servicePaths.health, async () => {
    const now = deps.clock().getTime();
    // The absolute difference, because a clock that is set back must not make a query shared for longer.
    if (!shared || Math.abs(now - shared.startedAt) >= shareForMs) shared = startQuery(now);
    await shared.result;
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
