import type { CommandResult, DeviceCommand } from '#contract/logs.ts';
import { decideWatering, type WateringDecision } from '#domain/watering/rule.ts';
import type { Transaction } from '../database/transaction.ts';
import { lockPlant } from '../plants/owned-plant.ts';
import { type LoggedPlant, soilReadings } from '../readings/store-log.ts';
import { issueCommand, openCommands, reportCommand } from './commands.ts';
import { wateringHistory } from './facts.ts';
import { recordWatering } from './records.ts';

/** What devices say that became of their commands: a done one is a watering, at the latest moment it can have run. */
export async function reportResults(
  tx: Transaction,
  { userId, id: plantId }: LoggedPlant,
  results: readonly CommandResult[],
  now: Date,
): Promise<void> {
  for (const result of results) {
    const command = await reportCommand(tx, { userId, plantId }, result, now);
    if (command?.status !== 'done') continue;
    const watering = {
      wateredAt: command.expiresAt < now ? command.expiresAt : now,
      source: 'auto' as const,
      amountMl: command.reportedMl,
      soilBefore: command.soilBefore,
    };
    await recordWatering(tx, await lockPlant(tx, userId, plantId), watering, now);
  }
}

/**
 * Turns what the readings ask for into a command, if the plant's history allows it; the plant is held meanwhile, so
 * that two readings never both do. Answers what was decided in the end and what the device is to do.
 */
export async function carryOut(
  tx: Transaction,
  plant: LoggedPlant,
  wish: WateringDecision,
  now: Date,
): Promise<{ decision: WateringDecision; commands: DeviceCommand[] }> {
  const { isLocked, unlockedAt } = plant;
  const owner = { userId: plant.userId, plantId: plant.id };
  const openOnes = () => openCommands(tx, owner, { since: unlockedAt, now });
  if (wish.kind === 'wait') {
    // A reading without soil says nothing against what is under way; any other reason does.
    return { decision: wish, commands: wish.reason.why === 'no-soil' ? await openOnes() : [] };
  }
  const history = await wateringHistory(tx.$client, plant, now);
  const facts = { plant, readings: soilReadings(plant), isLocked, unlockedAt, ...history };
  const decision = decideWatering(facts, now.getTime());
  if (decision.kind === 'water') await issueCommand(tx, owner, { ...decision, now });
  else if (decision.reason.why !== 'under-way') return { decision, commands: [] };
  return { decision, commands: await openOnes() };
}
