import { and, eq } from 'drizzle-orm';
import { healthFromReadings, type ServerHealth } from '#domain/plant/health.ts';
import { reasonOf } from '#domain/watering/reasons.ts';
import {
  decideWatering,
  type SoilReading,
  type WaitReason,
  type WateringDecision,
} from '#domain/watering/rule.ts';
import type { Queryable, Transaction } from '../database/transaction.ts';
import { addNotWatered, addNotWateredOnce } from '../journal/not-watered.ts';
import { plants } from '../plants/schema.ts';
import { soilReadings } from '../watering/facts.ts';
import { healthReadings } from './health-readings.ts';
import type { LoggedPlant } from './logged-plants.ts';

const noHistory = { handWaterings: [], commands: [] };

export interface Judgement {
  readings: SoilReading[];
  health: ServerHealth;
  decision: WateringDecision;
}

/**
 * Computes health, and decides about watering by the readings alone. If the result is to water, decideAndIssue checks the
 * limits that depend on earlier waterings, while the plant is locked.
 */
export async function judge(db: Queryable, plant: LoggedPlant, now: Date): Promise<Judgement> {
  const { isLocked, unlockedAt, deviceSince } = plant;
  const readings = await soilReadings(db, plant);
  const ofHealth = await healthReadings(db, plant, plant.recent, now);
  const facts = { plant, readings, isLocked, unlockedAt, deviceSince, ...noHistory };
  return {
    readings,
    health: healthFromReadings(plant, ofHealth, now.getTime(), plant.brightest),
    decision: decideWatering(facts, now.getTime()),
  };
}

/**
 * Whether more must be done than storing the readings. Always true if the newest reading has no soil humidity
 * (`no_soil`), because the response must then repeat an open command.
 */
export function hasConsequences(plant: LoggedPlant, { health, decision }: Judgement): boolean {
  return (
    decision.type === 'water' ||
    decision.reason === 'no_soil' ||
    health !== plant.health ||
    reasonOf(decision) !== plant.reason
  );
}

/**
 * Writes the plant's row only if health, reason or lock changes, so that most readings do not write it. Adds a
 * `not_watered` entry for a new lock, and for a newly reached limit (see addNotWateredOnce). Resolves to whether
 * anything changed.
 */
export async function storeJudgement(
  tx: Transaction,
  plant: LoggedPlant,
  { health, decision }: Pick<Judgement, 'health' | 'decision'>,
  now: Date,
): Promise<boolean> {
  const reason = reasonOf(decision);
  const isNewReason = reason !== plant.reason;
  const isNewlyLocked = reason === 'locked' && !plant.isLocked;
  if (health === plant.health && !isNewReason && !isNewlyLocked) return false;
  if (isNewlyLocked) await addNotWatered(tx, plant, { reason, at: now });
  else if (isNewReason && isLimit(reason)) await addNotWateredOnce(tx, plant, { reason, at: now });
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

/** Whether a reason may appear and disappear with each reading while soil humidity is close to the plant's minimum. */
function isLimit(reason: WaitReason | null): reason is 'runs_used' | 'water_used' {
  return reason === 'runs_used' || reason === 'water_used';
}
