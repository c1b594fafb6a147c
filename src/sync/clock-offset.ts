import type { DeviceDb } from '#data/db.ts';

const metaId = 'clock-offset-ms';

/** A Date header counts whole seconds and travels a while: less than this is no difference. */
const noticeableMs = 5_000;
const tooOldMs = 60 * 24 * 3_600_000;

/** Remembers how far the server's clock is ahead of the device's. */
export async function rememberOffset(db: DeviceDb, serverTime: number | null, now: number) {
  if (serverTime === null) return;
  const measured = serverTime - now;
  const value = Math.abs(measured) < noticeableMs ? 0 : measured;
  const known = await readOffset(db);
  if (Math.abs(value - known) >= noticeableMs || (value === 0 && known !== 0)) {
    await db.meta.put({ id: metaId, value });
  }
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
