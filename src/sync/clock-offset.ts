import type { DeviceDb } from '#data/db.ts';

const metaId = 'clock-offset-ms';

/** A Date header counts whole seconds and travels a while: less than this is no difference. */
const noticeableMs = 5_000;
const tooOldMs = 60 * 24 * 3_600_000;

/** Remembers how far the server's clock is ahead of the device's; true when that is news. */
export async function rememberOffset(
  db: DeviceDb,
  serverTime: number | null,
  now: number,
): Promise<boolean> {
  if (serverTime === null) return false;
  const measured = serverTime - now;
  const value = Math.abs(measured) < noticeableMs ? 0 : measured;
  const known = await readOffset(db);
  const isNews = Math.abs(value - known) >= noticeableMs;
  if (isNews) await db.meta.put({ id: metaId, value });
  return isNews;
}

export async function readOffset(db: DeviceDb): Promise<number> {
  const row = await db.meta.get(metaId);
  return Number(row?.value ?? 0);
}

/**
 * A moment of the device's clock in the server's time (ISO), for telling the server when something happened.
 * Undefined when it would be in the future or over 60 days back: then the server's own now is the better guess.
 */
export function serverMoment(occurredAt: number, offset: number, now: number): string | undefined {
  const age = now - occurredAt;
  return age < 0 || age > tooOldMs ? undefined : new Date(occurredAt + offset).toISOString();
}
