import { allWateredTitle, digestTexts } from '#domain/reminder/digest.ts';
import { hasAccountDb, withAccountDb } from '../background/account-db.ts';
import { readBackgroundToken } from '../background/background.ts';
import { type DonePlants, plantsDone } from './done-plants.ts';
import { duePlants, type Notice } from './notice.ts';

export interface DeviceNotice {
  notice: Notice;
  /**
   * Whether a tap can record waterings of all due plants: there must be some, the notice must list all of them, and the
   * session must be remembered.
   */
  canWater: boolean;
}

/**
 * Whether this device may show the notice as it was sent: its kind is test or not known, or its account has a database
 * here. The database is deleted at sign-out.
 */
export async function isForThisDevice({ account, kind }: Notice): Promise<boolean> {
  if (kind === null || kind === 'test') return true;
  return await hasAccountDb(account);
}

/**
 * Removes plants from a digest if this device knows that they no longer need water. A digest can be old, because a
 * push service keeps it while the device is offline. Returns other notices unchanged, as well as digests that do not
 * list all due plants and those of an account without a database on this device. Rejects if the database fails.
 */
export async function deviceNotice(notice: Notice, now: number): Promise<DeviceNotice> {
  const asSent = { notice, canWater: false };
  if (notice.kind !== 'digest' || !listsAllDue(notice)) return asSent;
  const adapted = await withAccountDb(notice.account, async (db) => {
    const done = await plantsDone(db, notice, now);
    const left = withoutPlants(notice, done);
    const canWater = duePlants(left).length > 0 && (await readBackgroundToken(db)) !== null;
    return { notice: left, canWater };
  });
  return adapted ?? asSent;
}

/** Hundreds of plants do not fit into a message. */
function listsAllDue({ plants, badge }: Notice): boolean {
  return plants.length >= (badge ?? 0);
}

/** The digest without these plants. If none is left, it says that all are watered. */
function withoutPlants(notice: Notice, done: DonePlants): Notice {
  const plants = notice.plants.filter(({ id }) => !done.has(id));
  if (plants.length === notice.plants.length) return notice;
  const due = duePlants(notice).filter(({ id }) => !done.has(id));
  const soon = plants.slice(due.length);
  const listed = notice.plants.length - duePlants(notice).length;
  const notListed = (notice.soon_count ?? listed) - listed;
  const soonCount = soon.length + notListed;
  const isSent = notice.plants.every(({ id }) => done.get(id) !== 'unsent');
  const texts =
    plants.length === 0
      ? { title: allWateredTitle(isSent), body: '' }
      : digestTexts({ due, soon, soonCount });
  return { ...notice, ...texts, plants, soon_count: soonCount, badge: due.length };
}
