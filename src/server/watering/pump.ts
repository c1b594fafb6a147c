import { uuidv7 } from 'uuidv7';
import type { CommandResult, DeviceCommand } from '#contract/logs.ts';
import { decideWatering, type SoilReading, type WateringDecision } from '#domain/watering/rule.ts';
import type { Transaction } from '../database/transaction.ts';
import { addNotWatered } from '../journal/not-watered.ts';
import { lockPlant } from '../plants/owned-plant.ts';
import { isPlant, plants } from '../plants/schema.ts';
import type { LoggedPlant } from '../readings/logged-plants.ts';
import { issueCommand, openCommands, reportCommand } from './commands.ts';
import { wateringHistory } from './facts.ts';
import { recordWatering } from './record-watering.ts';

/**
 * Stores a device's results. A command that is done becomes a watering, dated at the latest time it can have run; one
 * that failed becomes an entry of the journal, unless it had expired and was therefore not run. `plantIds`: the plants of
 * the device, which the caller must have locked. Resolves to the ids of those that changed.
 */
export async function reportResults(
  tx: Transaction,
  { userId, plantIds }: { userId: string; plantIds: readonly string[] },
  results: readonly CommandResult[],
  now: Date,
): Promise<Set<string>> {
  const changed = new Set<string>();
  for (const result of results) {
    const command = await reportCommand(tx, { userId, plantIds }, result, now);
    if (!command) continue;
    const { plantId } = command;
    changed.add(plantId);
    const ranAt = command.expiresAt < now ? command.expiresAt : now;
    // A device reports a command that was expired when it arrived as failed with 0 ml. That is no fault of the pump.
    const isNotRun = result.status === 'failed' && command.reportedMl === 0;
    if (isNotRun && command.expiresAt <= now) continue;
    if (command.status !== 'done') {
      await addNotWatered(tx, { userId, id: plantId }, { reason: 'pump_failed', at: ranAt });
      continue;
    }
    const watering = {
      id: uuidv7(),
      wateredAt: ranAt,
      source: 'auto' as const,
      amountMl: command.reportedMl,
      soilBefore: command.soilBefore,
    };
    const plant = await lockPlant(tx, userId, plantId);
    await recordWatering(tx, plant, watering, { unlocksAt: null });
  }
  return changed;
}

/**
 * Decides whether to water and issues the command. `first` is the decision by the readings alone. If it is to water, the
 * rule decides again with past waterings and commands, which may still forbid it. The caller must have locked the plant,
 * so that parallel readings issue only one command. Resolves to the final decision and the commands for the response.
 */
export async function decideAndIssue(
  tx: Transaction,
  loggedPlant: LoggedPlant,
  first: { readings: readonly SoilReading[]; decision: WateringDecision },
  now: Date,
): Promise<{ decision: WateringDecision; commands: DeviceCommand[] }> {
  const plant = withPastUnlock(loggedPlant, now);
  const { isLocked, unlockedAt, deviceSince } = plant;
  const owner = { userId: plant.userId, plantId: plant.id };
  const open = () => openCommands(tx, owner, { since: unlockedAt, now });
  if (first.decision.type === 'wait') {
    // If the newest reading only lacks soil humidity, the response repeats an open command. For any other reason to
    // wait, e.g. because the soil is moist now, it omits the command.
    const { reason } = first.decision;
    return { decision: first.decision, commands: reason === 'no_soil' ? await open() : [] };
  }
  const history = await wateringHistory(tx.$client, plant, now);
  const { readings } = first;
  const facts = { plant, readings, isLocked, unlockedAt, deviceSince, ...history };
  const decision = decideWatering(facts, now.getTime());
  if (decision.type === 'water') {
    if (plant !== loggedPlant) await storeUnlock(tx, plant);
    await issueCommand(tx, owner, { ...decision, now });
  } else if (decision.reason !== 'under_way') return { decision, commands: [] };
  return { decision, commands: await open() };
}

/**
 * The plant, with an unlock that is dated after `now` (see `unlockColumns`) dated just before `now`: earlier commands
 * stay withdrawn, and one that is issued now is not.
 */
function withPastUnlock(plant: LoggedPlant, now: Date): LoggedPlant {
  const isAhead = plant.unlockedAt !== null && plant.unlockedAt > now.getTime();
  return isAhead ? { ...plant, unlockedAt: now.getTime() - 1 } : plant;
}

async function storeUnlock(tx: Transaction, plant: LoggedPlant) {
  const { unlockedAt } = plant;
  await tx
    .update(plants)
    .set({ unlockedAt: unlockedAt === null ? null : new Date(unlockedAt) })
    .where(isPlant(plant));
}
