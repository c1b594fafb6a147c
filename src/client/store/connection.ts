import { newOpId } from './outbox/op.ts';
import type { DeviceDb } from './schema.ts';
import { clearStorageProblem, reportStorageProblem } from './storage-problem.ts';

/** Whatever befalls the connection reaches a person: live queries alone would only fall silent. */
export function followConnection(db: DeviceDb): void {
  // Another tab installs a newer version, or signs out: let go, and stay closed rather than write an old shape into it.
  db.on('versionchange', ({ newVersion }) => {
    reportStorageProblem(db.storageProblem, newVersion ? 'updated' : 'removed');
    db.close();
  });
  db.on('blocked', () => reportStorageProblem(db.storageProblem, 'blocked'));
  // Dexie opens a database that is newer than this code all the same.
  const refuseNewer = () => {
    const installed = (db.backendDB()?.version ?? 0) / 10;
    if (Math.floor(installed) <= db.verno)
      return clearStorageProblem(db.storageProblem, 'blocked', 'broken');
    reportStorageProblem(db.storageProblem, 'updated');
    throw new Error(`This database is of version ${installed}`);
  };
  db.on('ready', refuseNewer, true);
  // A browser may cut the connection, or evict what it led to: open anew rather than wait for the next query, and fill
  // what may be empty now.
  db.on('close', () => {
    queueMicrotask(() => {
      if (db.isOpen() || db.hasFailed()) return;
      openNow(db, () => db.syncState.put({ id: 'request', nonce: newOpId() }));
    });
  });
}

/** A browser that has just cut a connection needs a moment before it grants the next. */
const openAgainMs = [200, 1_000, 3_000] as const;
const blockedAfterMs = 3_000;

/**
 * Opens the database now, so that a failure is known although queries swallow it. Tries a few times before it is
 * called broken. `onOpen`: what to do then.
 */
export function openNow(db: DeviceDb, onOpen?: () => Promise<unknown>, tries = 0): void {
  // Of two that wait for the same tab, the page and its worker, the browser tells only the first.
  const slow = setTimeout(() => reportStorageProblem(db.storageProblem, 'blocked'), blockedAfterMs);
  const opened = db.open().finally(() => clearTimeout(slow));
  opened.then(onOpen).catch((error: Error) => {
    console.warn('The device’s database did not open:', error.message);
    if (db.storageProblem.current === 'updated' || db.storageProblem.current === 'removed') return;
    if (isDenied(error)) return reportStorageProblem(db.storageProblem, 'denied');
    const delayMs = openAgainMs[tries];
    if (delayMs === undefined) return reportStorageProblem(db.storageProblem, 'broken');
    setTimeout(() => openNow(db, onOpen, tries + 1), delayMs);
  });
}

/** Browsers agree on no name for it: Chromium's is only in the words, others have no database at all then. */
function isDenied({ name, message }: Error): boolean {
  return /^(SecurityError|MissingAPIError)$/.test(name) || /denied/.test(message);
}
