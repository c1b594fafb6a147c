import { clockOffsetId, readClockOffset } from '#client/store/clock-offset.ts';
import type { DeviceDb } from '#client/store/schema.ts';

/** A Date header counts whole seconds and travels a while: less than this is no difference. */
const noticeableMs = 5_000;
const tooOldMs = 60 * 24 * 3_600_000;

/**
 * Remembers how far the server's clock is ahead of the device's; true when that is news. The server's time is of some
 * moment between `askedAt` and `now`: what may be explained by a slow answer, or by a device that slept over it, tells
 * nothing.
 */
export async function rememberOffset(
  db: DeviceDb,
  serverTime: number | null,
  now: number,
  askedAt = now,
): Promise<boolean> {
  if (serverTime === null) return false;
  const [least, most] = [serverTime - now, serverTime - askedAt];
  const known = await readClockOffset(db);
  const isNews = known <= least - noticeableMs || known >= most + noticeableMs;
  const measured = Math.round((least + most) / 2);
  const value = Math.abs(measured) < noticeableMs ? 0 : measured;
  if (isNews) {
    await db.transaction('rw', db.meta, () => db.meta.put({ id: clockOffsetId, value }));
  }
  return isNews;
}

/**
 * A moment of the device's clock in the server's time (ISO), for telling the server when something happened.
 * Undefined when it would be in the future or over 60 days back: then the server's own now is the better guess.
 */
export function serverMoment(occurredAt: number, offset: number, now: number): string | undefined {
  const age = now - occurredAt;
  return age < 0 || age > tooOldMs ? undefined : new Date(occurredAt + offset).toISOString();
}
