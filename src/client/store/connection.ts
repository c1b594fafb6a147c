import { newOpId } from './outbox/op.ts';
import type { DeviceDb } from './schema.ts';
import { clearStorageProblem, reportStorageProblem } from './storage-problem.ts';

/** Reports every problem of the connection, since a live query on a lost connection only stops emitting. */
export function followConnection(db: DeviceDb): void {
  // Another tab upgrades or deletes the database: close it, and stay closed so that no old row shape is written.
  db.on('versionchange', ({ newVersion }) => {
    reportStorageProblem(db.storageProblem, newVersion ? 'updated' : 'removed');
    db.close();
  });
  db.on('blocked', () => reportStorageProblem(db.storageProblem, 'blocked'));
  // Dexie would open a database that is newer than this code.
  const refuseNewer = () => {
    const installed = (db.backendDB()?.version ?? 0) / 10;
    if (Math.floor(installed) <= db.verno)
      return clearStorageProblem(db.storageProblem, 'blocked', 'broken');
    reportStorageProblem(db.storageProblem, 'updated');
    throw new Error(`This database is of version ${installed}`);
  };
  db.on('ready', refuseNewer, true);
  // A browser may close the connection, or have evicted the data: open it again at once and ask for a sync, which fills
  // an empty database.
  db.on('close', () => {
    queueMicrotask(() => {
      if (db.isOpen() || db.hasFailed()) return;
      openNow(db, () => db.syncState.put({ id: 'request', nonce: newOpId() }));
    });
  });
}

/** A browser that has just closed a connection may refuse the next one for a moment. */
const reopenDelaysMs = [200, 1_000, 3_000] as const;
const blockedAfterMs = 3_000;

/**
 * Opens the database now, so that a failure is reported, which lazy opening by a query would not do. Reports 'broken'
 * after a few attempts. Calls `onOpen` once it is open.
 */
export function openNow(db: DeviceDb, onOpen?: () => Promise<unknown>, tries = 0): void {
  // When the page and its worker both wait for another tab, the browser sends 'blocked' only to the first.
  const slow = setTimeout(() => reportStorageProblem(db.storageProblem, 'blocked'), blockedAfterMs);
  const opened = db.open().finally(() => clearTimeout(slow));
  opened.then(onOpen).catch((error: Error) => {
    console.warn('The device’s database did not open:', error.message);
    if (db.storageProblem.current === 'updated' || db.storageProblem.current === 'removed') return;
    if (isDenied(error)) return reportStorageProblem(db.storageProblem, 'denied');
    const delayMs = reopenDelaysMs[tries];
    if (delayMs === undefined) return reportStorageProblem(db.storageProblem, 'broken');
    setTimeout(() => openNow(db, onOpen, tries + 1), delayMs);
  });
}

/** Browsers name this error differently: Chromium only in the message, others have no IndexedDB at all then. */
function isDenied({ name, message }: Error): boolean {
  return /^(SecurityError|MissingAPIError)$/.test(name) || /denied/.test(message);
}
