import type pg from 'pg';
import type { DeviceCommand } from '#contract/logs.ts';
import { type NotWateredReason, notWateredReasons } from '#domain/journal/entry.ts';
import { healthFromReadings, type ServerHealth } from '#domain/plant/health.ts';
import { reasonOf } from '#domain/watering/reasons.ts';
import {
  decideWatering,
  type SoilReading,
  type WaitReason,
  type WateringDecision,
} from '#domain/watering/rule.ts';
import type { Queryable, Transaction } from '../database/transaction.ts';
import { unavailable } from '../http/api-error.ts';
import { addNotWatered, addNotWateredOnce } from '../journal/not-watered.ts';
import { isPlant, plants } from '../plants/schema.ts';
import { soilReadings } from '../watering/facts.ts';
import { decideAndIssue, reportResults } from '../watering/pump.ts';
import { healthReadings } from './health-readings.ts';
import { type LockedPlant, type LoggedPlant, type Report, withReports } from './logged-plants.ts';
import { type PlantReports, readingsStatement, storeReadings } from './store-readings.ts';

/** A plant and its reports of one request, in their order. */
export interface ReportedPlant {
  plant: LoggedPlant;
  reports: Report[];
}

/**
 * Stores readings and their consequences. The caller must have locked the plants before it read them; `locked` are
 * these and the other plants of their devices. First the results of commands are stored. Then each plant is judged once,
 * by its newest readings: health and reason are updated, and commands are issued. All of it is one change of the
 * account. The caller must run `lastStatement` at the end of its transaction to record it (null without reports). Also
 * resolves to the commands that the devices still have to run, by plant.
 */
export async function storeAndJudge(
  tx: Transaction,
  userId: string,
  reported: readonly ReportedPlant[],
  { locked, now }: { locked: readonly LockedPlant[]; now: Date },
): Promise<{ commands: Map<string, DeviceCommand[]>; lastStatement: pg.QueryConfig | null }> {
  const commands = new Map<string, DeviceCommand[]>();
  const changed: PlantReports[] = [];
  if (reported.length === 0) return { commands, lastStatement: null };
  const read = reported.map((plant) => ({ ...plant, onlyReadings: true }));
  const stored = await storeReadings(tx.$client, userId, read, { now, mode: 'uncounted' });
  // Only a plant that the caller has not locked can be missing.
  if (stored.size < reported.length) throw unavailable('A plant of the readings is being changed');
  const changedByResults = new Set<string>();
  for (const { plant, reports } of reported) {
    const results = reports.flatMap(({ log }) => log.command_results ?? []);
    const owners = ofSameDevice(plant, locked);
    for (const id of await reportResults(tx, { userId, plantIds: owners }, results, now)) {
      changedByResults.add(id);
    }
  }
  for (const { plant: known, reports } of reported) {
    const plant = withReports(known, reports, now);
    const judgement = await judge(tx.$client, plant, { now, reportCount: reports.length });
    const { decision, commands: open } = await decideAndIssue(tx, plant, judgement, now);
    const isUpdated = await storeJudgement(tx, plant, { ...judgement, decision }, now);
    commands.set(plant.id, open);
    changed.push({
      plant,
      reports,
      onlyReadings: !changedByResults.delete(plant.id) && !isUpdated,
    });
  }
  // What is left are plants without a reading, whose results came with a reading of another plant.
  for (const id of changedByResults) {
    changed.push({ plant: { id, change: null }, reports: [], onlyReadings: false });
  }
  const lastStatement = readingsStatement(userId, changed, { now, mode: 'unguarded' });
  return { commands, lastStatement };
}

/** The ids of the plants that have the device of this plant, which are only itself if it has none. */
function ofSameDevice({ id, device_id }: LoggedPlant, locked: readonly LockedPlant[]): string[] {
  const isSame = (other: LockedPlant) =>
    other.id === id || (device_id !== null && other.device_id === device_id);
  return locked.filter(isSame).map((plant) => plant.id);
}

interface Judgement {
  readings: SoilReading[];
  health: ServerHealth;
  decision: WateringDecision;
}

const noHistory = { manualWaterings: [], commands: [] };

/**
 * Computes health, and decides about watering by the readings alone, `reportCount` of which are new. If the result is to
 * water, decideAndIssue checks the limits that depend on earlier waterings, while the plant is locked.
 */
export async function judge(
  db: Queryable,
  plant: LoggedPlant,
  { now, reportCount }: { now: Date; reportCount: number },
): Promise<Judgement> {
  const { isLocked, unlockedAt, deviceSince } = plant;
  const readings = await soilReadings(db, plant);
  // While a plant is Good, a measure that is missing in its recent readings was inside its thresholds when it was last
  // reported, unless it was reported just now, in an array whose later readings lack it.
  const findsMissing = plant.health !== 'Good' || reportCount > 1;
  const ofHealth = await healthReadings(db, plant, plant.recent, { now, findsMissing });
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
async function storeJudgement(
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
  else if (isNewReason && isRecurring(reason)) {
    await addNotWateredOnce(tx, plant, { reason, at: now });
  }
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
    .where(isPlant(plant));
  return true;
}

/**
 * Whether the journal gets an entry for this reason, which may appear and disappear with each reading while soil
 * humidity is close to the plant's minimum. The lock does not disappear by itself.
 */
function isRecurring(
  reason: WaitReason | null,
): reason is Exclude<WaitReason & NotWateredReason, 'locked'> {
  return reason !== 'locked' && notWateredReasons.some((one) => one === reason);
}
