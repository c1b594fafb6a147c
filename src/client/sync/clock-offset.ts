import { clockOffsetId, readClockOffset } from '#client/store/meta.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { entryLimits, maxBackDays } from '#domain/journal/entry.ts';
import { dayMs } from '#domain/time.ts';

/** A smaller difference is ignored, because a Date header has whole seconds and arrives with a delay. */
const noticeableMs = 5_000;
const tooOldMs = maxBackDays * dayMs;

/**
 * Stores how far the server's clock is ahead of the device's if this differs noticeably from the stored value, and then
 * returns true. The server read its clock at some time between `sentAt` and `now` (device's clock, ms), so a difference
 * that a slow response or a sleeping device can explain is ignored.
 */
export async function saveClockOffset(
  db: DeviceDb,
  serverTime: number | null,
  now: number,
  sentAt = now,
): Promise<boolean> {
  if (serverTime === null) return false;
  // `sentAt` is the later time if the clock was set back meanwhile.
  const least = serverTime - Math.max(now, sentAt);
  const most = serverTime - Math.min(now, sentAt);
  const known = await readClockOffset(db);
  const isChanged = known <= least - noticeableMs || known >= most + noticeableMs;
  const measured = Math.round((least + most) / 2);
  const value = Math.abs(measured) < noticeableMs ? 0 : measured;
  if (isChanged) {
    await db.transaction('rw', db.meta, () => db.meta.put({ id: clockOffsetId, value }));
  }
  return isChanged;
}

/**
 * The server's time (ISO) when the device's clock showed `occurredAt`. Undefined when it would be in the future or over
 * 60 days back: then the server's present time is the better estimate.
 */
export function serverTimeOf(occurredAt: number, offset: number, now: number): string | undefined {
  const age = now - occurredAt;
  return age < 0 || age > tooOldMs ? undefined : new Date(occurredAt + offset).toISOString();
}

/** The server accepts no older entries; one that waited too long gets the earliest possible time. */
const oldestEntryMs = entryLimits.backDays * dayMs - 60_000;

/**
 * The server's time (ISO) of a journal entry. `at`: its time by the device's clock (ms). Limited to what the server
 * accepts (not in the future, not too old), because the entry may have waited or the device's clock may have been set
 * back.
 */
export function serverTimeOfEntry(at: number, offset: number, now: number): string {
  return new Date(Math.min(Math.max(at, now - oldestEntryMs), now) + offset).toISOString();
}
