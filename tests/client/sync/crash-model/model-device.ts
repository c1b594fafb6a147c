import { openDeviceDb } from '#client/store/database.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { watchWrites, withCrashPoints } from './crash-point.ts';
import type { ModelAccount, Simulation } from './simulation.ts';

/** A device of an account: one database, and the engines that use it until they end or crash. */
export interface ModelDevice {
  readonly name: string;
  readonly account: ModelAccount;
  db: DeviceDb;
  /** The same database as its screens use it. */
  page: DeviceDb;
  /** The tables that were written since they were last checked. */
  written: Set<string>;
  /** Its browser has Web Locks, so that only one engine runs at a time. */
  hasLocks: boolean;
  /** ms */
  offlineUntil: number;
  token: string | null;
  /** Its page has pulled before, so that a pull requests only one of the two lists. */
  isLoaded: boolean;
  /** How many engines run. */
  running: number;
}

export async function openModelDevice(
  sim: Simulation,
  account: ModelAccount,
  name: string,
): Promise<ModelDevice> {
  return {
    name,
    account,
    ...openDb(name),
    hasLocks: sim.random.chance(0.5),
    offlineUntil: 0,
    isLoaded: false,
    token: await sim.server.signIn(account),
    running: 0,
  };
}

function openDb(name: string): Pick<ModelDevice, 'db' | 'page' | 'written'> {
  const db = openDeviceDb(name);
  const written = new Set<string>();
  watchWrites(db, written);
  return { db, page: withCrashPoints(db, async () => undefined), written };
}

/**
 * Closes the database and creates a new connection, as after a restart. Waits until the old connection is open, because
 * Dexie leaks one that is closed while it opens.
 */
export async function reopen(device: ModelDevice): Promise<void> {
  await device.db.open();
  device.db.close();
  Object.assign(device, openDb(device.name));
}

/**
 * Checks what was written since the last crash point. Plant rows are checked after a write to syncState, because every
 * write of a plant row also increases the generation that is stored there.
 */
export async function checkWrites(
  sim: Simulation,
  { name, account, db, written }: ModelDevice,
): Promise<void> {
  const isHistoryWritten = written.delete('journal') || written.has('outbox');
  if (isHistoryWritten) await sim.shownChecks.check(name, db);
  if (written.delete('outbox')) await sim.checks.checkUnresolved(name, db);
  if (written.delete('syncState')) await sim.rowChecks.check({ name, account, db });
}
