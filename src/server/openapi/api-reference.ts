import { contentEtag, sendUnlessKnown } from '../http/conditional.ts';
import type { App } from '../http/validation.ts';
import { onceMade } from '../once-made.ts';
import { openapiDocument } from './document.ts';
import { referencePage } from './page.ts';
import { servicePaths } from './service-operations.ts';

/** The API's description, for anybody: it says nothing of anybody's plants. */
export function apiReferenceRoutes(app: App, options: { withPage: boolean }): void {
  const text = onceMade(() => {
    const json = JSON.stringify(openapiDocument());
    return { json, etag: contentEtag(json) };
  });

  app.get(servicePaths.document, async (request, reply) => {
    const { json, etag } = text();
    return sendUnlessKnown(request, reply, json, etag);
  });

  if (!options.withPage) return;
  app.get(servicePaths.page, async (_, reply) =>
    reply.type('text/html; charset=utf-8').send(referencePage(openapiDocument())),
  );
}
