import { isRejected } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';

const pauseId = 'paused-until';
/** No wait of our own is longer; a longer one was asked for by the server. */
const longestOwnMs = 60_000;
/** No server is believed for longer: what lies beyond comes of a clock that was set back. */
const longestAskedMs = 3_600_000;

/** Keeps the server's wish to be left alone (device's clock, ms) beyond this leader. */
export async function rememberPause(db: DeviceDb, until: number): Promise<void> {
  await db.transaction('rw', db.meta, () => db.meta.put({ id: pauseId, value: until }));
}

/** Until when the whole queue has to wait; 0 when it need not. */
export async function readPause(db: DeviceDb, now: number): Promise<number> {
  const until = Number((await db.meta.get(pauseId))?.value ?? 0);
  return until > now && until <= now + longestAskedMs ? until : 0;
}

/** Ends the waits that are our own; with `isAsked`, by a person, those that the server asked for too. */
export async function forgetBackoff(db: DeviceDb, now: number, isAsked: boolean): Promise<void> {
  await db.transaction('rw', db.outbox, db.meta, async () => {
    if (isAsked) await db.meta.delete(pauseId);
    const isKept = (wait: number) => !isAsked && wait > longestOwnMs && wait <= longestAskedMs;
    const waiting = await db.outbox
      .filter((op) => op.nextAt > 0 && !isRejected(op) && !isKept(op.nextAt - now))
      .toArray();
    for (const op of waiting) await db.outbox.update(op.seq, { nextAt: 0 });
  });
}
