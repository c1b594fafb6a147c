import { isSignedInWith } from '#client/session/session.ts';
import { isStillQueued, waitForAnswer } from '#client/store/outbox/op-answer.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';

/**
 * Writes a change to the outbox (`write` resolves with the op's id) and waits for the server's first answer. Then
 * announces that the change is done or waits to be sent. The promise never rejects. A failed change is only logged
 * here; the notice of a rejected one is shown elsewhere.
 */
export async function submitChange(
  db: DeviceDb,
  write: () => Promise<string>,
  texts: { done: string; failed: string },
): Promise<void> {
  try {
    const opId = await write();
    const answer = await waitForAnswer(db, opId);
    if (answer.type === 'failed') console.warn(answer.message || texts.failed);
    if (answer.type === 'done') announceChange(db, texts.done, false);
    else if (await isStillQueued(db, opId)) announceChange(db, texts.done, true);
  } catch (error) {
    console.warn(texts.failed, error);
  }
}

/** Announces nothing after the session has ended: signing out deletes ops that were not sent. */
export function announceChange(db: DeviceDb, done: string, isWaiting: boolean): void {
  if (!isSignedInWith(db)) return;
  announce(isWaiting ? `${done}, waiting to be sent` : done);
}
