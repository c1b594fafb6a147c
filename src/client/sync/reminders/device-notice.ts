import { readPlants } from '#client/store/plants.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { allWateredTitle, digestTexts } from '#domain/reminder/digest.ts';
import { hasAccountDb, withAccountDb } from '../background/account-db.ts';
import { readBackgroundToken } from '../background/background.ts';
import type { Notice } from './notice.ts';

export interface DeviceNotice {
  notice: Notice;
  /**
   * Whether a tap can record waterings of all its plants: the session must be remembered and the notice must list all
   * plants.
   */
  canWater: boolean;
}

/**
 * Whether this device may show the notice as it was sent: it names no account, or one that has a database here. The
 * database is deleted at sign-out.
 */
export async function isForThisDevice({ account, kind }: Notice): Promise<boolean> {
  if (kind === null || kind === 'test') return true;
  return await hasAccountDb(account);
}

/**
 * Removes plants from a digest that were watered on this device and not sent yet. Returns other notices unchanged, as
 * well as those of an account without a database on this device. Rejects if the database fails.
 */
export async function deviceNotice(notice: Notice, now: number): Promise<DeviceNotice> {
  const asSent = { notice, canWater: false };
  if (notice.kind !== 'digest' || !isWhole(notice)) return asSent;
  const adapted = await withAccountDb(notice.account, async (db) => {
    const doneHere = await plantsDoneHere(db, now);
    const left = withoutPlants(notice, doneHere);
    const canWater = left.plants.length > 0 && (await readBackgroundToken(db)) !== null;
    return { notice: left, canWater };
  });
  return adapted ?? asSent;
}

/** Whether it lists all due plants; hundreds do not fit into a message. */
function isWhole({ plants, badge }: Notice): boolean {
  return plants.length >= (badge ?? 0);
}

/** The digest without these plants. If none is left, it says that all are watered. */
function withoutPlants(notice: Notice, ids: ReadonlySet<string>): Notice {
  const left = notice.plants.filter(({ id }) => !ids.has(id));
  if (left.length === notice.plants.length) return notice;
  // Due plants come first; the others are due within their days before.
  const dueCount = notice.plants
    .slice(0, notice.badge ?? 0)
    .filter(({ id }) => !ids.has(id)).length;
  const texts =
    left.length === 0 ? { title: allWateredTitle, body: '' } : digestTexts(left, dueCount > 0);
  return { ...notice, ...texts, plants: left, badge: dueCount };
}

/** The ids of plants that unsent changes on this device delete or make due later. */
async function plantsDoneHere(db: DeviceDb, now: number): Promise<Set<string>> {
  const [rows, plants] = await Promise.all([db.plants.toArray(), readPlants(db)]);
  const shown = new Map(plants.map(({ record }) => [String(record.id), record]));
  const done = rows.filter(({ id, record }) => {
    const pending = shown.get(id);
    return !pending || isLater(pending.next_watering_date, record.next_watering_date, now);
  });
  return new Set(done.map(({ id }) => id));
}

type WateringDate = string | null | undefined;

function isLater(pending: WateringDate, confirmed: WateringDate, now: number): boolean {
  const date = Date.parse(pending ?? '');
  return date > now && date > Date.parse(confirmed ?? '');
}
