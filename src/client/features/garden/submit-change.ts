import { isStillQueued, waitForAnswer } from '#client/store/outbox/op-answer.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { announce } from '#client/ui/feedback/live-region.tsx';

/**
 * Writes a change into the outbox (`write` answers its op's id), waits for the server's first answer and announces it.
 * Never rejects: a refusal is only logged here (spec section 8); the notice of refused changes shows it.
 */
export async function submitChange(
  db: DeviceDb,
  write: () => Promise<string>,
  texts: { done: string; failed: string },
): Promise<void> {
  try {
    const opId = await write();
    const answer = await waitForAnswer(db, opId);
    if (answer.type === 'refused') console.warn(answer.message || texts.failed);
    if (answer.type === 'done') announceChange(texts.done, false);
    else if (await isStillQueued(db, opId)) announceChange(texts.done, true);
  } catch (error) {
    console.warn(texts.failed, error);
  }
}

export function announceChange(done: string, isWaiting: boolean): void {
  announce(isWaiting ? `${done}, waiting to be sent` : done);
}
