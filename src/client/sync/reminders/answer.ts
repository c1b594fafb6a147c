import { countWaiting, rejectedOps } from '#client/store/outbox/outbox.ts';
import { type AnsweredReminder, addWateringsOnce } from '#client/store/outbox/reminder-answer.ts';
import { wateredTexts } from '#domain/reminder/digest.ts';
import { withAccountDb } from '../background/account-db.ts';
import { readBackgroundToken } from '../background/background.ts';
import { plantsDone } from './done-plants.ts';
import { duePlants, type Notice } from './notice.ts';

/**
 * 'known': it was answered before. 'impossible': the account is not signed in on this device, or only for one tab, or
 * its database is of another version of the app.
 */
export type AnswerResult =
  /** `plants`: those that are watered, by this answer or since the notification was shown. */
  { type: 'stored' | 'known'; plants: Notice['plants'] } | { type: 'impossible' };

/**
 * Stores waterings of the due plants of a digest at `now` (ms), except those that were watered, snoozed or deleted after
 * the notification was shown. Rejects if the device cannot store it.
 */
export async function answerNotice(
  notice: Notice,
  { id, shownAt }: Pick<AnsweredReminder, 'id' | 'shownAt'>,
  now: number,
): Promise<AnswerResult> {
  const { account } = notice;
  const answered = { id, plants: plantsToWater(notice), ...(shownAt !== undefined && { shownAt }) };
  const result = await withAccountDb(account, async (db): Promise<AnswerResult> => {
    if ((await readBackgroundToken(db)) === null) return { type: 'impossible' };
    const done = await plantsDone(db, notice, now);
    const { isKnown, plants } = await addWateringsOnce(db, { ...answered, done }, now);
    return { type: isKnown ? 'known' : 'stored', plants };
  });
  return result ?? { type: 'impossible' };
}

/** The plants for which the button of a digest is. */
function plantsToWater(notice: Notice): Notice['plants'] {
  const due = duePlants(notice);
  // Earlier versions of the app also gave a button to a digest of plants that are only due soon.
  return due.length > 0 ? due : notice.plants;
}

/**
 * Whether the waterings of an answered notice have been sent: no op of the account waits. Rejected ops wait for the
 * person and are ignored, except waterings of these plants.
 */
export async function isAllSent({
  account,
  plants,
}: Pick<Notice, 'account' | 'plants'>): Promise<boolean> {
  const ids = new Set(plants.map(({ id }) => id));
  const isSent = await withAccountDb(account, async (db) => {
    const rejected = await rejectedOps(db);
    const isRejected = rejected.some(({ type, entity }) => type === 'water' && ids.has(entity));
    return !isRejected && (await countWaiting(db)) === 0;
  });
  return isSent ?? false;
}

/** The texts of an answered notice. `isSent`: whether the waterings have been sent. */
export function answeredTexts(
  { plants }: Pick<Notice, 'plants'>,
  isSent: boolean,
): { title: string; body: string } {
  return wateredTexts(plants, isSent);
}
