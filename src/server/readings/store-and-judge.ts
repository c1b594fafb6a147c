import type pg from 'pg';
import type { DeviceCommand } from '#contract/logs.ts';
import type { Transaction } from '../database/transaction.ts';
import { unavailable } from '../http/api-error.ts';
import { decideAndIssue, reportResults } from '../watering/pump.ts';
import { judge, storeJudgement } from './judge.ts';
import { type LoggedPlant, type Report, withReports } from './logged-plants.ts';
import { type PlantReports, readingsStatement, storeReadings } from './store-readings.ts';

/** A plant and its reports of one request, in their order. */
export interface ReportedPlant {
  plant: LoggedPlant;
  reports: Report[];
}

/**
 * Stores readings and their consequences. The caller must have locked the plants before it read them. Each plant is
 * judged once, by its newest readings: results of commands are stored, health and reason are updated, and commands are
 * issued. All of it is one change of the account. The caller must run `lastStatement` at the end of its transaction to
 * record it (null without reports). Also resolves to the commands that the devices still have to run, by plant.
 */
export async function storeAndJudge(
  tx: Transaction,
  userId: string,
  reported: readonly ReportedPlant[],
  now: Date,
): Promise<{ commands: Map<string, DeviceCommand[]>; lastStatement: pg.QueryConfig | null }> {
  const commands = new Map<string, DeviceCommand[]>();
  const changed: PlantReports[] = [];
  if (reported.length === 0) return { commands, lastStatement: null };
  const read = reported.map((plant) => ({ ...plant, onlyReadings: true }));
  const stored = await storeReadings(tx.$client, userId, read, { now, mode: 'uncounted' });
  // Only a plant that the caller has not locked can be missing.
  if (stored.size < reported.length) throw unavailable('A plant of the readings is being changed');
  for (const { plant: known, reports } of reported) {
    const plant = withReports(known, reports);
    const results = reports.flatMap(({ log }) => log.command_results ?? []);
    const isReported = await reportResults(tx, plant, results, now);
    const judgement = await judge(tx.$client, plant, now);
    const { decision, commands: open } = await decideAndIssue(tx, plant, judgement, now);
    const isUpdated = await storeJudgement(tx, plant, { ...judgement, decision }, now);
    commands.set(plant.id, open);
    changed.push({ plant, reports, onlyReadings: !isReported && !isUpdated });
  }
  const lastStatement = readingsStatement(userId, changed, { now, mode: 'unguarded' });
  return { commands, lastStatement };
}
