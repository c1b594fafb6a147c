import type { DeviceCommand } from '#contract/logs.ts';
import type { Transaction } from '../database/transaction.ts';
import { carryOut, reportResults } from '../watering/pump.ts';
import { judge, updatePlant } from './judge.ts';
import { type LoggedPlant, type Report, withReports } from './logged-plants.ts';
import {
  type PlantReports,
  startCounting,
  storeReadings,
  storeUncounted,
} from './store-readings.ts';

/** A plant and its reports of one request, in their order. */
export interface ReportedPlant {
  plant: LoggedPlant;
  reports: Report[];
}

/**
 * Stores readings and what follows from them; the caller has locked the plants and then read them. Of each plant the
 * newest reading decides, once: the results of commands are stored, health and reason updated, and commands issued.
 * All of it is one change of the account. Resolves to the commands that the devices still have to run, by plant.
 */
export async function storeAndJudge(
  tx: Transaction,
  userId: string,
  reported: readonly ReportedPlant[],
  now: Date,
): Promise<Map<string, DeviceCommand[]>> {
  const commands = new Map<string, DeviceCommand[]>();
  if (reported.length === 0) return commands;
  await storeUncounted(tx.$client, userId, reported);
  const changed: PlantReports[] = [];
  for (const { plant: known, reports } of reported) {
    const plant = withReports(known, reports);
    const results = reports.flatMap(({ log }) => log.command_results ?? []);
    const isWatered = await reportResults(tx, plant, results, now);
    const judgement = await judge(tx.$client, plant, now);
    const { decision, commands: open } = await carryOut(tx, plant, judgement, now);
    const isUpdated = await updatePlant(tx, plant, { ...judgement, decision }, now);
    commands.set(plant.id, open);
    changed.push({ plant, reports, onlyReadings: !isWatered && !isUpdated });
  }
  await count(tx, userId, changed, now);
  return commands;
}

async function count(
  tx: Transaction,
  userId: string,
  changed: readonly PlantReports[],
  now: Date,
): Promise<void> {
  const store = () => storeReadings(tx.$client, userId, changed, { now, isGuarded: false });
  const ids = changed.map(({ plant }) => plant.id);
  const counted = await store();
  if (ids.every((id) => counted.has(id))) return;
  await startCounting(tx.$client, userId, ids);
  await store();
}
