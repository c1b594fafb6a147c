import { digestTexts, nothingToWaterTexts } from '#domain/reminder/digest.ts';
import { hasAccountDb, withAccountDb } from '../background/account-db.ts';
import { readBackgroundToken } from '../background/background.ts';
import { type DonePlants, plantsDone } from './done-plants.ts';
import { duePlants, type Reminder } from './reminder.ts';

export interface DeviceReminder {
  reminder: Reminder;
  /**
   * Whether a tap can record waterings of all due plants: there must be some, the reminder must list all of them, and
   * the session must be remembered.
   */
  canWater: boolean;
}

/**
 * Whether this device may show the reminder as it was sent: its kind is test or not known, or its account has a
 * database here. The database is deleted at sign-out.
 */
export async function isForThisDevice({ account: dbName, kind }: Reminder): Promise<boolean> {
  if (kind === null || kind === 'test') return true;
  return await hasAccountDb(dbName);
}

/**
 * Removes plants from a digest if this device knows that they no longer need water. A digest can be old, because a
 * push service keeps it while the device is offline. Returns other reminders unchanged, as well as digests that do not
 * list all due plants and those of an account without a database on this device. Rejects if the database fails.
 */
export async function deviceReminder(reminder: Reminder, now: number): Promise<DeviceReminder> {
  const asSent = { reminder, canWater: false };
  if (reminder.kind !== 'digest' || !listsAllDue(reminder)) return asSent;
  const adapted = await withAccountDb(reminder.account, async (db) => {
    const done = await plantsDone(db, reminder, now);
    const left = withoutPlants(reminder, done);
    const canWater = duePlants(left).length > 0 && (await readBackgroundToken(db)) !== null;
    return { reminder: left, canWater };
  });
  return adapted ?? asSent;
}

/** Hundreds of plants do not fit into a message. */
function listsAllDue({ plants, badge }: Reminder): boolean {
  return plants.length >= (badge ?? 0);
}

/** The digest without these plants. If none is left, it says that there is nothing to water. */
function withoutPlants(reminder: Reminder, done: DonePlants): Reminder {
  const plants = reminder.plants.filter(({ id }) => !done.has(id));
  if (plants.length === reminder.plants.length) return reminder;
  const due = duePlants(reminder).filter(({ id }) => !done.has(id));
  const soon = plants.slice(due.length);
  const listed = reminder.plants.length - duePlants(reminder).length;
  const notListed = (reminder.soon_count ?? listed) - listed;
  const soonCount = soon.length + notListed;
  const isSent = reminder.plants.every(({ id }) => done.get(id) !== 'unsent');
  const texts =
    plants.length === 0 ? nothingToWaterTexts(isSent) : digestTexts({ due, soon, soonCount });
  return { ...reminder, ...texts, plants, soon_count: soonCount, badge: due.length };
}
