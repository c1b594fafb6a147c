import { and, eq } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';
import type { DeviceCommand, LogAnswer, LogPayload } from '#contract/logs.ts';
import { healthFromReadings, type ServerHealth } from '#domain/plant/health.ts';
import { reasonOf } from '#domain/watering/reasons.ts';
import {
  decideWatering,
  type SoilReading,
  type WateringDecision,
  wateringLimits,
} from '#domain/watering/rule.ts';
import type { Queryable, Transaction } from '../database/transaction.ts';
import { invalid } from '../http/api-error.ts';
import type { AppDeps } from '../http/app-deps.ts';
import { respondOnce, sendResponse, type WriteResponse } from '../http/idempotency.ts';
import { recordChange } from '../plants/changes.ts';
import { plantNotFound } from '../plants/owned-plant.ts';
import { plants } from '../plants/schema.ts';
import { soilReadings } from '../watering/facts.ts';
import { carryOut, reportResults } from '../watering/pump.ts';
import { type LoggedPlant, lockLoggedPlant, storeLog } from './store-log.ts';

/**
 * Handles POST /api/logs. Most readings only extend the series, so they are first stored without a transaction:
 *
 *   reading ── with an Idempotency-Key or command results ─────────┐
 *      │ otherwise                                                 │
 *      ▼                                                           ▼
 *   store it in one statement                                transaction:
 *   judge health and watering by the newest readings ──────▶   lock the plant
 *      │ health and reason          they differ, or the        store it (again: the same row)
 *      │ are as before              plant asks for water       judge, now with the watering history
 *      ▼                                                       update the plant, issue a command
 *   201 without commands                                     201 with commands
 */
export async function postLog(
  deps: AppDeps,
  request: FastifyRequest,
  log: LogPayload,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { userId } = request.session;
  const now = deps.clock();
  // Computed once: a default timestamp computed again for the second attempt would store a second reading.
  const at = { now, ts: momentOf(log, now) };
  const needsTransaction =
    request.headers[headers.idempotencyKey] !== undefined || Boolean(log.command_results?.length);
  const answer = needsTransaction ? null : await storeOptimistically(deps, userId, log, at);
  if (answer) return sendResponse(reply, answer);
  return respondOnce(deps, request, reply, (tx) => storeAndJudge(tx, userId, log, at));
}

/** `ts`: time of the reading; `now`: time of the request. */
interface Moments {
  ts: Date;
  now: Date;
}

/** Stores the reading in any case. Null when it has consequences, which need a transaction. */
async function storeOptimistically(
  { db }: AppDeps,
  userId: string,
  log: LogPayload,
  at: Moments,
): Promise<WriteResponse | null> {
  const plant = onlyOne(await storeLog(db.pool, userId, log, { ...at, isCounted: true }));
  const judgement = await judge(db.pool, plant, at.now);
  return hasConsequences(plant, judgement) ? null : answerTo(plant, log, at.ts, []);
}

async function storeAndJudge(
  tx: Transaction,
  userId: string,
  log: LogPayload,
  at: Moments,
): Promise<WriteResponse> {
  const { now } = at;
  await lockLoggedPlant(tx.$client, userId, log);
  const plant = onlyOne(await storeLog(tx.$client, userId, log, { ...at, isCounted: false }));
  const isWatered = await reportResults(tx, plant, log.command_results ?? [], now);
  const judgement = await judge(tx.$client, plant, now);
  const { decision, commands } = await carryOut(tx, plant, judgement, now);
  const isUpdated = await updatePlant(tx, plant, { ...judgement, decision }, now);
  await recordChange(tx, plant, { now, readingAt: at.ts, onlyReading: !isWatered && !isUpdated });
  return answerTo(plant, log, at.ts, commands);
}

const noHistory = { handWaterings: [], commands: [] };

interface Judgement {
  readings: SoilReading[];
  health: ServerHealth;
  decision: WateringDecision;
}

/** Decides by the readings alone. Whether the pump may run by the watering history is decided once the plant is locked. */
async function judge(db: Queryable, plant: LoggedPlant, now: Date): Promise<Judgement> {
  const { isLocked, unlockedAt } = plant;
  const readings = await soilReadings(db, plant);
  const facts = { plant, readings, isLocked, unlockedAt, ...noHistory };
  return {
    readings,
    health: healthFromReadings(plant, plant.recent, now.getTime(), plant.brightest),
    decision: decideWatering(facts, now.getTime()),
  };
}

/** Whether more must be done than storing the reading. One without soil humidity must repeat an open command. */
function hasConsequences(plant: LoggedPlant, { health, decision }: Judgement): boolean {
  return (
    decision.type === 'water' ||
    decision.reason === 'no_soil' ||
    health !== plant.health ||
    reasonOf(decision) !== plant.reason
  );
}

/** Writes only what changed, so that most readings touch no plant. Resolves to whether anything did. */
async function updatePlant(
  tx: Transaction,
  plant: LoggedPlant,
  { health, decision }: Pick<Judgement, 'health' | 'decision'>,
  now: Date,
): Promise<boolean> {
  const reason = reasonOf(decision);
  const isNewReason = reason !== plant.reason;
  const isNewlyLocked = reason === 'locked' && !plant.isLocked;
  if (health === plant.health && !isNewReason && !isNewlyLocked) return false;
  await tx
    .update(plants)
    .set({
      health_status: health,
      ...(isNewReason && {
        autoWateringReason: reason,
        autoWateringReasonSince: reason === null ? null : now,
      }),
      ...(isNewlyLocked && { autoWateringLocked: true }),
    })
    .where(and(eq(plants.userId, plant.userId), eq(plants.id, plant.id)));
  return true;
}

function onlyOne([plant, ...others]: LoggedPlant[]): LoggedPlant {
  if (!plant) throw plantNotFound();
  if (others.length > 0) {
    throw invalid(['body', 'device_id'], 'belongs to several plants; send plant_id');
  }
  return plant;
}

function answerTo(
  plant: LoggedPlant,
  log: LogPayload,
  ts: Date,
  commands: DeviceCommand[],
): WriteResponse {
  const { soil_humidity, air_humidity, temperature, luminance } = log;
  const answer: LogAnswer = {
    plant_id: plant.id,
    timestamp: ts.toISOString(),
    soil_humidity,
    air_humidity,
    temperature,
    luminance,
    commands,
  };
  return { status: 201, json: JSON.stringify(answer) };
}

function momentOf(log: LogPayload, now: Date): Date {
  if (log.timestamp === undefined) return now;
  const moment = new Date(log.timestamp);
  if (moment.getTime() - now.getTime() > wateringLimits.aheadMs) {
    throw invalid(['body', 'timestamp'], 'is in the future');
  }
  return moment;
}
