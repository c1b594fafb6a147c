import { readClockOffset } from '#client/store/meta.ts';
import { readPlants } from '#client/store/plants.ts';
import type { DeviceDb, PlantRow } from '#client/store/schema.ts';
import { readStatus } from '#client/store/sync-status.ts';
import { duePlants, type Reminder } from './reminder.ts';

/** By id of a plant that no longer needs water: whether the server knows this (`sent`) or not yet (`unsent`). */
export type DonePlants = ReadonlyMap<string, 'sent' | 'unsent'>;

/**
 * The plants of a digest of which this device knows at `now` (ms) that they no longer need water. Either an op that is
 * not sent yet deletes them or makes them due later, or data that is newer than the digest does not contain them any
 * more or has a later day for them.
 */
export function plantsDone(db: DeviceDb, reminder: Reminder, now: number): Promise<DonePlants> {
  // One transaction, so that a plant that a pull adds meanwhile does not seem to be deleted.
  const tables = [db.plants, db.outbox, db.idmap, db.syncState, db.meta];
  return db.transaction('r', tables, async () => {
    const [rows, plants, clockOffset] = await Promise.all([
      db.plants.bulkGet(reminder.plants.map(({ id }) => id)),
      readPlants(db),
      readClockOffset(db),
    ]);
    const hasNewerLists = await haveListsArrived(db, reminder, clockOffset);
    const shown = new Map(plants.map(({ record }) => [String(record.id), record]));
    const due = new Set(duePlants(reminder).map(({ id }) => id));
    const done = new Map<string, 'sent' | 'unsent'>();
    reminder.plants.forEach(({ id }, index) => {
      const row = rows[index];
      const pending = shown.get(id);
      if (!row) {
        if (hasNewerLists) done.set(id, 'sent');
      } else if (
        !pending ||
        isLater(pending.next_watering_date, row.record.next_watering_date, now)
      ) {
        done.set(id, 'unsent');
      } else if (due.has(id) && isDueLater(row, reminder, clockOffset)) {
        done.set(id, 'sent');
      }
    });
    return done;
  });
}

/** Whether this device has pulled since the digest was made, so that a plant without a row was deleted. */
async function haveListsArrived(
  db: DeviceDb,
  { made_at: madeAt }: Reminder,
  clockOffset: number,
): Promise<boolean> {
  const { pulledAt } = await readStatus(db);
  if (madeAt === undefined || pulledAt === null || pulledAt + clockOffset <= madeAt) return false;
  // A pull leaves out a plant that may be the result of such a create.
  const creates = db.outbox.filter(
    ({ type, state }) => type === 'create' && (state === 'inflight' || state === 'uncertain'),
  );
  return (await creates.count()) === 0;
}

type WateringDate = string | null | undefined;

function isLater(pending: WateringDate, confirmed: WateringDate, now: number): boolean {
  const date = Date.parse(pending ?? '');
  return date > now && date > Date.parse(confirmed ?? '');
}

/** Whether the plant's record was fetched after the digest was made and is due on a later day. */
function isDueLater(
  { record, fetchedAt }: PlantRow,
  { made_at: madeAt, due_before: dayEnd }: Reminder,
  clockOffset: number,
): boolean {
  if (madeAt === undefined || dayEnd === undefined) return false;
  return fetchedAt + clockOffset > madeAt && Date.parse(record.next_watering_date ?? '') >= dayEnd;
}
