import { logPaths, logPayloadSchema, logsQuerySchema } from '#contract/logs.ts';
import { plantPaths } from '#contract/plants.ts';
import { readLatest, readLogs, readSummary } from '../db/log-queries.ts';
import type { AppDeps } from '../deps.ts';
import { contentEtag, sendUnlessKnown } from '../http/conditional.ts';
import type { App } from '../http/validation.ts';
import { postLog } from './ingest.ts';
import { plantIdOf, plantNotFound } from './owned-plant.ts';

export function logRoutes(app: App, deps: AppDeps): void {
  app.post(logPaths.create, { schema: { body: logPayloadSchema } }, (request, reply) =>
    postLog(deps, request, request.body, reply),
  );

  app.get(
    logPaths.ofPlant,
    { schema: { querystring: logsQuerySchema } },
    async (request, reply) => {
      const { session, query } = request;
      const json = await readLogs(deps.db, session.userId, plantIdOf(request), query);
      if (json === null) throw plantNotFound();
      return sendUnlessKnown(request, reply, json, contentEtag(json));
    },
  );

  app.get(logPaths.summary, async (request, reply) => {
    const json = await readSummary(deps.db, request.session.userId, plantIdOf(request));
    if (json === null) throw plantNotFound();
    return reply.type('application/json; charset=utf-8').send(json);
  });

  app.get(plantPaths.latestReadings, async (request, reply) => {
    const json = await readLatest(deps.db, request.session.userId, plantIdOf(request));
    if (json === null) throw plantNotFound();
    return reply.type('application/json; charset=utf-8').send(json);
  });
}
