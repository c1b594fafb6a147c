import { fetchJournal } from '#client/api/journal.ts';
import { serverIdOf } from '#client/store/ids.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { PlantJournal } from '#contract/journal.ts';
import { asSignedIn } from './signed-in-call.ts';

/**
 * Loads the page of a plant's journal at this cursor: entries that are older than those on this device. They are not
 * stored. Throws an AccountError with the message to show.
 */
export async function loadOlderEntries(
  db: DeviceDb,
  plantKey: string,
  before: string,
): Promise<PlantJournal> {
  const plantId = await serverIdOf(db, plantKey);
  return asSignedIn(
    (call) => fetchJournal(plantId, { before }, call),
    'Older entries could not be loaded',
  );
}
