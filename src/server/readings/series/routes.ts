import { seriesPaths, seriesQuerySchema } from '#contract/series.ts';
import type { App, AppDeps } from '../../http/app-deps.ts';
import { contentEtag, sendUnlessMatched } from '../../http/etag.ts';
import { plantIdOf, plantNotFound } from '../../plants/owned-plant.ts';
import { readSeries } from './queries.ts';

export function seriesRoutes(app: App, { db, clock }: AppDeps): void {
  const options = { schema: { querystring: seriesQuerySchema } };
  app.get(seriesPaths.ofPlant, options, async (request, reply) => {
    const { session, query } = request;
    const json = await readSeries(db, session.userId, plantIdOf(request), query, clock());
    if (json === null) throw plantNotFound();
    return sendUnlessMatched(request, reply, json, contentEtag(json));
  });
}
