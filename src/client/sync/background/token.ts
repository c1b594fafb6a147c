import type { DeviceDb } from '#client/store/schema.ts';

/** A service worker cannot read the page's storage; the token of a remembered session waits for it here. */
const metaId = 'background-token';

export async function keepBackgroundToken(db: DeviceDb, token: string): Promise<void> {
  await db.transaction('rw', db.meta, () => db.meta.put({ id: metaId, value: token }));
}

/** Only this token: another tab may have kept a newer one. */
export async function forgetBackgroundToken(db: DeviceDb, token: string): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    if ((await readBackgroundToken(db)) === token) await db.meta.delete(metaId);
  });
}

export async function readBackgroundToken(db: DeviceDb): Promise<string | null> {
  const value = (await db.meta.get(metaId))?.value;
  return typeof value === 'string' ? value : null;
}
