import { journalEntryField } from '#contract/journal.ts';
import { allOf, type Transaction } from '../database/transaction.ts';
import type { AppDeps } from '../http/app-deps.ts';
import type { Write } from '../http/idempotency.ts';
import { changeStatement } from '../plants/changes.ts';
import { plantResponse } from '../plants/owned-plant.ts';
import type { PlantRow } from '../plants/schema.ts';
import { readEntry } from './queries.ts';

/**
 * The response to a change of a plant's journal: the plant's record with the stored entry, or with null if the entry
 * was removed (`entryId` null). Its `lastStatement` records a change of the plant.
 */
export async function changedJournal(
  deps: AppDeps,
  tx: Transaction,
  plant: PlantRow,
  { entryId, status = 200 }: { entryId: string | null; status?: number },
): Promise<Write> {
  const [{ json, ...response }, entry] = await allOf([
    plantResponse(deps, tx.$client, plant, status),
    entryId === null ? null : readEntry(tx.$client, plant, entryId),
  ]);
  return {
    ...response,
    json: `${json.slice(0, -1)}, "${journalEntryField}": ${JSON.stringify(entry)}}`,
    lastStatement: changeStatement(plant, { now: deps.clock() }),
  };
}
