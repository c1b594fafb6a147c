import { clockOffsetId, readClockOffset } from '#client/store/meta.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { entryLimits, maxBackDays } from '#domain/journal/entry.ts';
import { dayMs, minuteMs } from '#domain/time.ts';

/** A smaller difference is ignored, because a Date header has whole seconds and arrives with a delay. */
const noticeableMs = 5_000;
/** The server accepts ops that are a day older. The day is for retries, because a request keeps its time in all of them. */
const oldestOpMs = (maxBackDays - 1) * dayMs;

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
 * The server's time (ISO) when the device's clock showed `occurredAt`; at the earliest 59 days ago, because the server
 * rejects times that are over 60 days old. A tap that waited so long must not count as a watering of today, which would
 * unlock the pump and postpone the next automatic watering. Undefined when the time would be in the future: then the server's present
 * time is the better estimate.
 */
export function serverTimeOf(occurredAt: number, offset: number, now: number): string | undefined {
  if (occurredAt > now) return undefined;
  return new Date(Math.max(occurredAt, now - oldestOpMs) + offset).toISOString();
}

/** The server accepts no older entries; one that waited too long gets the earliest possible time. */
const oldestEntryMs = entryLimits.backDays * dayMs - minuteMs;

/**
 * The server's time (ISO) of a journal entry. `at`: its time by the device's clock (ms). Limited to what the server
 * accepts (not in the future, not too old), because the entry may have waited or the device's clock may have been set
 * back.
 */
export function serverTimeOfEntry(at: number, offset: number, now: number): string {
  return new Date(Math.min(Math.max(at, now - oldestEntryMs), now) + offset).toISOString();
}
