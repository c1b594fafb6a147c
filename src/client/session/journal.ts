import { fetchJournal } from '#client/api/journal.ts';
import { serverIdOf } from '#client/store/ids.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { PlantJournal } from '#contract/journal.ts';
import { asSignedIn } from './signed-in-call.ts';

/**
 * The page of a plant's journal that follows the entries on this device, by its cursor. Older entries are not stored.
 * Throws an AccountError with the message to show.
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
