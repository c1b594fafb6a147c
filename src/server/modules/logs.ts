import { and, eq } from 'drizzle-orm';
import { type LogPayload, logPaths, logPayloadSchema, logsQuerySchema } from '#contract/logs.ts';
import { plantPaths } from '#contract/plants.ts';
import type { Transaction } from '../db/database.ts';
import { healthNow } from '../db/health-now.ts';
import {
  insertLog,
  type LoggedPlant,
  readLatest,
  readLogs,
  readSummary,
} from '../db/log-queries.ts';
import { plants } from '../db/schema.ts';
import type { AppDeps } from '../deps.ts';
import { invalid } from '../http/api-error.ts';
import { contentEtag, sendUnlessKnown } from '../http/conditional.ts';
import { once, sendAnswer } from '../http/idempotency.ts';
import type { App } from '../http/validation.ts';
import { plantIdOf, plantNotFound } from './owned-plant.ts';

/** How far a sensor's clock may run ahead before its reading is refused. */
const aheadMs = 5 * 60_000;

export function logRoutes(app: App, deps: AppDeps): void {
  app.post(logPaths.create, { schema: { body: logPayloadSchema } }, async (request, reply) =>
    sendAnswer(
      reply,
      await once(deps, request, (tx) => storeLog(deps, tx, request.session.userId, request.body)),
    ),
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

async function storeLog(deps: AppDeps, tx: Transaction, userId: string, log: LogPayload) {
  const ts = momentOf(log, deps.clock());
  const [plant, ...others] = await insertLog(tx, userId, log, ts);
  if (!plant) throw plantNotFound();
  if (others.length > 0) {
    throw invalid(['body', 'device_id'], 'belongs to several plants; send plant_id');
  }
  await refreshHealth(deps, tx, plant);
  const { soil_humidity, air_humidity, temperature, luminance } = log;
  const answer = {
    plant_id: plant.id,
    timestamp: ts.toISOString(),
    soil_humidity,
    air_humidity,
    temperature,
    luminance,
    commands: [],
  };
  return { status: 201, json: JSON.stringify(answer) };
}

function momentOf(log: LogPayload, now: Date): Date {
  if (log.timestamp === undefined) return now;
  const moment = new Date(log.timestamp);
  if (moment.getTime() - now.getTime() > aheadMs) {
    throw invalid(['body', 'timestamp'], 'is in the future');
  }
  return moment;
}

/** Written only when it changed, so that most readings touch one table. */
async function refreshHealth(deps: AppDeps, tx: Transaction, plant: LoggedPlant): Promise<void> {
  const health = await healthNow(tx, plant, deps.clock());
  if (health === plant.health_status) return;
  await tx
    .update(plants)
    .set({ health_status: health })
    .where(and(eq(plants.userId, plant.userId), eq(plants.id, plant.id)));
}
