import { serverIdLookup } from '#client/store/ids.ts';
import { countWaiting, rejectedOps } from '#client/store/outbox/outbox.ts';
import { type AnsweredReminder, addWateringsOnce } from '#client/store/outbox/reminder-answer.ts';
import { notSavedTexts, wateredTexts } from '#domain/reminder/digest.ts';
import { withAccountDb } from '../background/account-db.ts';
import { readBackgroundToken } from '../background/background.ts';
import { plantsDone } from './done-plants.ts';
import { duePlants, type Reminder } from './reminder.ts';

/**
 * 'known': it was answered before. 'impossible': the account is not signed in on this device, or only for one tab, or
 * its database is of another version of the app.
 */
export type AnswerResult =
  /** `plants`: those that are watered, by this answer or since the notification was shown. */
  { type: 'stored' | 'known'; plants: Reminder['plants'] } | { type: 'impossible' };

/**
 * Stores waterings of the due plants of a digest at `now` (ms), except those that were watered, snoozed or deleted
 * after the notification was shown. Rejects if the device cannot store it.
 */
export async function answerReminder(
  reminder: Reminder,
  { id, shownAt }: Pick<AnsweredReminder, 'id' | 'shownAt'>,
  now: number,
): Promise<AnswerResult> {
  const { account: dbName } = reminder;
  const answered = {
    id,
    plants: plantsToWater(reminder),
    ...(shownAt !== undefined && { shownAt }),
  };
  const result = await withAccountDb(dbName, async (db): Promise<AnswerResult> => {
    if ((await readBackgroundToken(db)) === null) return { type: 'impossible' };
    const done = await plantsDone(db, reminder, now);
    const { isKnown, plants } = await addWateringsOnce(db, { ...answered, done }, now);
    return { type: isKnown ? 'known' : 'stored', plants };
  });
  return result ?? { type: 'impossible' };
}

/** The plants that the button of a digest waters. */
function plantsToWater(reminder: Reminder): Reminder['plants'] {
  const due = duePlants(reminder);
  // Earlier versions of the app also gave a button to a digest of plants that are only due soon.
  return due.length > 0 ? due : reminder.plants;
}

/** `rejected`: the plants whose watering the server has rejected. */
export interface AnswerState {
  isSent: boolean;
  rejected: Reminder['plants'];
}

/**
 * The state of the waterings of an answered reminder that was shown at `shownAt` (ms, device's clock). They have been
 * sent if no op of the account waits. Rejected ops wait for the person and are ignored, except waterings of these
 * plants.
 */
export async function answerState(
  { account: dbName, plants }: Pick<Reminder, 'account' | 'plants'>,
  shownAt = 0,
): Promise<AnswerState> {
  const state = await withAccountDb(dbName, async (db) => {
    const waterings = (await rejectedOps(db)).filter(
      ({ type, occurredAt }) => type === 'water' && occurredAt >= shownAt,
    );
    // The screens record a watering of a plant that was made on this device under its local id.
    const serverIdOf = serverIdLookup(await db.idmap.toArray());
    const ids = new Set(waterings.map(({ entity }) => serverIdOf(entity)));
    const rejected = plants.filter(({ id }) => ids.has(id));
    return { isSent: rejected.length === 0 && (await countWaiting(db)) === 0, rejected };
  });
  return state ?? { isSent: false, rejected: [] };
}

/** The texts of an answered reminder. */
export function answeredTexts(
  { plants }: Pick<Reminder, 'plants'>,
  { isSent, rejected }: AnswerState,
): { title: string; body: string } {
  return rejected.length > 0 ? notSavedTexts(rejected) : wateredTexts(plants, isSent);
}
