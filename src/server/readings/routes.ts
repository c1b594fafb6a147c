import { logBodySchema, logLimits, logPaths, logsQuerySchema } from '#contract/logs.ts';
import { plantPaths } from '#contract/plants.ts';
import { seriesPaths, seriesQuerySchema } from '#contract/series.ts';
import type { App, AppDeps } from '../http/app-deps.ts';
import { contentEtag, sendUnlessMatched } from '../http/etag.ts';
import { sendResponse } from '../http/idempotency.ts';
import { plantIdOf, plantNotFound } from '../plants/owned-plant.ts';
import { postLog } from './ingest.ts';
import { postLogs } from './ingest-array.ts';
import { readLatest, readLogs, readSummary } from './queries.ts';
import { createReadingQueue } from './reading-queue.ts';
import { readSeries } from './series/queries.ts';

export function logRoutes(app: App, deps: AppDeps): void {
  const queue = createReadingQueue(deps);
  const options = { schema: { body: logBodySchema }, bodyLimit: logLimits.bytes };
  app.post(logPaths.create, options, (request, reply) => {
    const { body } = request;
    return isArray(body)
      ? postLogs(deps, request, body, reply)
      : postLog(deps, queue, request, body, reply);
  });

  app.get(
    logPaths.ofPlant,
    { schema: { querystring: logsQuerySchema } },
    async (request, reply) => {
      const { session, query } = request;
      const json = foundOr404(await readLogs(deps.db, session.userId, plantIdOf(request), query));
      return sendUnlessMatched(request, reply, json, contentEtag(json));
    },
  );

  app.get(logPaths.summary, async (request, reply) => {
    const { session } = request;
    const json = foundOr404(await readSummary(deps.db, session.userId, plantIdOf(request)));
    return sendResponse(reply, { status: 200, json });
  });

  app.get(plantPaths.latestReadings, async (request, reply) => {
    const { session } = request;
    const json = foundOr404(await readLatest(deps.db, session.userId, plantIdOf(request)));
    return sendResponse(reply, { status: 200, json });
  });

  const ofSeries = { schema: { querystring: seriesQuerySchema } };
  app.get(seriesPaths.ofPlant, ofSeries, async (request, reply) => {
    const { session, query } = request;
    const plantId = plantIdOf(request);
    const json = foundOr404(
      await readSeries(deps.db, session.userId, plantId, query, deps.clock()),
    );
    return sendUnlessMatched(request, reply, json, contentEtag(json));
  });
}

/** Throws a 404 for null, which means that the account has no such plant. */
function foundOr404(json: string | null): string {
  if (json === null) throw plantNotFound();
  return json;
}

/** The type guard of Array.isArray does not narrow read-only arrays. */
function isArray<T>(body: T | readonly unknown[]): body is readonly unknown[] {
  return Array.isArray(body);
}
