import { and, eq } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';
import type { DeviceCommand, LogAnswer, LogPayload } from '#contract/logs.ts';
import { healthFromReadings } from '#domain/plant/health.ts';
import { autoWateringNote } from '#domain/watering/auto-watering-note.ts';
import { decideWatering, type WateringDecision, wateringLimits } from '#domain/watering/rule.ts';
import type { Transaction } from '../database/transaction.ts';
import type { AppDeps } from '../deps.ts';
import { invalid } from '../http/api-error.ts';
import { respondOnce, sendResponse, type WriteResponse } from '../http/idempotency.ts';
import { plantNotFound } from '../plants/owned-plant.ts';
import { plants } from '../plants/schema.ts';
import { carryOut, reportResults } from '../watering/pump.ts';
import { type LoggedPlant, lockLoggedPlant, soilReadings, storeLog } from './store-log.ts';

/**
 * Takes a reading in. Most change nothing but the series: one statement stores them. What moves health, note or pump,
 * brings news of a command or carries a key gets a transaction that holds the plant.
 */
export async function postLog(
  deps: AppDeps,
  request: FastifyRequest,
  log: LogPayload,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { userId } = request.session;
  const now = deps.clock();
  // Once: told twice, a reading without a moment of its own would be two.
  const at = { now, ts: momentOf(log, now) };
  const isPlain =
    request.headers[headers.idempotencyKey] === undefined && !log.command_results?.length;
  const stored = isPlain ? await storePlainLog(deps, userId, log, at) : null;
  if (stored) return sendResponse(reply, stored);
  return respondOnce(deps, request, reply, (tx) => storeAndJudge(tx, userId, log, at));
}

/** `ts`: of the reading; `now`: when it came. */
interface Moments {
  ts: Date;
  now: Date;
}

/** Null when the reading means more than itself; it is stored even so, and storing it again does no harm. */
async function storePlainLog(deps: AppDeps, userId: string, log: LogPayload, at: Moments) {
  const plant = onlyOne(await storeLog(deps.db.pool, userId, log, at));
  return isNews(plant, judge(plant, at.now)) ? null : answerTo(plant, log, at.ts, []);
}

async function storeAndJudge(tx: Transaction, userId: string, log: LogPayload, at: Moments) {
  const { now } = at;
  await lockLoggedPlant(tx.$client, userId, log);
  const plant = onlyOne(await storeLog(tx.$client, userId, log, at));
  await reportResults(tx, plant, log.command_results ?? [], now);
  const judgement = judge(plant, now);
  const { decision, commands } = await carryOut(tx, plant, judgement.decision, now);
  await keep(tx, plant, { ...judgement, decision });
  return answerTo(plant, log, at.ts, commands);
}

const noHistory = { handWaterings: [], commands: [] };

interface Judgement {
  health: string;
  decision: WateringDecision;
}

/** What the readings alone say; whether the pump may really run is asked where the plant is held. */
function judge(plant: LoggedPlant, now: Date): Judgement {
  const { isLocked, unlockedAt } = plant;
  const facts = { plant, readings: soilReadings(plant), isLocked, unlockedAt, ...noHistory };
  return {
    health: healthFromReadings(plant, plant.recent, now.getTime(), plant.brightest),
    decision: decideWatering(facts, now.getTime()),
  };
}

function isNews(plant: LoggedPlant, { health, decision }: Judgement): boolean {
  return (
    decision.kind === 'water' ||
    decision.reason.why === 'no-soil' ||
    health !== plant.health_status ||
    autoWateringNote(decision) !== plant.auto_watering_note
  );
}

/** Written only when it changed, so that most readings touch one table. */
async function keep(
  tx: Transaction,
  plant: LoggedPlant,
  { health, decision }: Judgement,
): Promise<void> {
  const note = autoWateringNote(decision);
  const locks = decision.kind === 'wait' && decision.reason.why === 'locked';
  if (
    health === plant.health_status &&
    note === plant.auto_watering_note &&
    (!locks || plant.isLocked)
  ) {
    return;
  }
  await tx
    .update(plants)
    .set({
      health_status: health,
      auto_watering_note: note,
      ...(locks && { autoWateringLocked: true }),
    })
    .where(and(eq(plants.userId, plant.userId), eq(plants.id, plant.id)));
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
