import { openDeviceDb } from '#client/store/database.ts';
import { isRejected } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { SyncContext } from '#client/sync/context.ts';
import { lead } from '#client/sync/leader.ts';
import { createBatchSize } from '#client/sync/push/batch-size.ts';
import { createSchedule, type Requester } from '#client/sync/schedule.ts';
import type { Sleeper } from '#client/sync/sleeper.ts';
import {
  type AtCrashPoint,
  CrashError,
  forbidOtherWrites,
  type RunInOrder,
  withCrashPoints,
} from './crash-point.ts';
import type { ModelFetch } from './model-network.ts';
import type { ModelAccount, Simulation } from './simulation.ts';

/** A device of an account: one database, and the engines that use it until they end or crash. */
export interface ModelDevice {
  readonly name: string;
  readonly account: ModelAccount;
  db: DeviceDb;
  /** The same database as its screens use it. */
  page: DeviceDb;
  /** Its browser has Web Locks, so that only one engine runs at a time. */
  hasLocks: boolean;
  /** ms */
  offlineUntil: number;
  token: string | null;
  /** Its page has pulled before, so that it requests only what has changed. */
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

function openDb(name: string): Pick<ModelDevice, 'db' | 'page'> {
  const db = openDeviceDb(name);
  forbidOtherWrites(db);
  return { db, page: withCrashPoints(db, async () => undefined) };
}

/** The database as the next start finds it. Dexie leaks a connection that is closed while it is being opened. */
async function reopen(device: ModelDevice): Promise<void> {
  await device.db.open();
  device.db.close();
  Object.assign(device, openDb(device.name));
}

export interface EngineRun {
  /** How often the engine may sleep before its page is closed. It is closed at once when no op waits. */
  sleeps: number;
  isHidden: boolean;
  /** Who has requested a round at the start. */
  requestedBy: Requester | null;
}

/**
 * Runs the real engine on a device; its sleep advances the clock. Resolves to true when it crashed: then every later
 * crash point rejects too, so that the engine has no further effect.
 */
export async function runEngine(
  sim: Simulation,
  device: ModelDevice,
  network: ModelFetch,
  interrupt: AtCrashPoint,
  { sleeps, isHidden, requestedBy }: EngineRun,
): Promise<boolean> {
  device.token ??= await sim.server.signIn(device.account);
  let isCrashed = false;
  const atCrashPoint: AtCrashPoint = async (point) => {
    await sim.checks.checkUnresolved(device.name, device.db);
    await sim.rowChecks.check(device);
    isCrashed ||= sim.faults.crashes();
    if (isCrashed) throw new CrashError(point.type);
    await interrupt(point);
  };
  const abort = new AbortController();
  const { runInOrder, idle } = createSerialQueue();
  const context: SyncContext = {
    db: withCrashPoints(device.db, atCrashPoint, runInOrder),
    fetch: (url, init) => runInOrder(() => network(device, url, init, atCrashPoint)),
    token: device.token,
    now: () => sim.now,
    random: () => sim.random.below(1_000) / 1_000,
    isOnline: () => sim.now >= device.offlineUntil,
    batchSize: createBatchSize(),
    signal: abort.signal,
  };
  let slept = 0;
  const sleeper: Sleeper = {
    wake: () => undefined,
    sleep: async (ms) => {
      await idle();
      slept += 1;
      const isIdle = (await device.db.outbox.filter((op) => !isRejected(op)).count()) === 0;
      if (slept > sleeps || isIdle) abort.abort();
      else sim.advance(Math.min(Math.max(ms, 0), 90_000));
    },
  };
  // Now and then the page has been reloaded since.
  if (!sim.faults.areOver && sim.random.chance(0.2)) device.isLoaded = false;
  const own = createSchedule({ ...context, onOpsWaiting: () => undefined });
  const schedule = { ...own, isLoaded: () => device.isLoaded || own.isLoaded() };
  schedule.setVisible(!isHidden);
  if (requestedBy) schedule.request(requestedBy);
  device.running += 1;
  try {
    const outcome = await lead(context, schedule, {
      sleeper,
      openLive: sim.live.openFor(device.account),
    });
    if (outcome === 'unauthorized') device.token = null;
  } catch (error) {
    if (!isCrashed) throw error;
  } finally {
    await idle();
    device.isLoaded = !isCrashed && schedule.isLoaded();
    device.running -= 1;
  }
  if (isCrashed && device.running === 0) await reopen(device);
  return isCrashed;
}

/**
 * Requests and transactions that an engine starts together run one after the other. So the engine does nothing else
 * while it is at a crash point, and a schedule gives the same result each time.
 */
function createSerialQueue(): { runInOrder: RunInOrder; idle: () => Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve();
  return {
    idle: () => last,
    runInOrder: (work) => {
      const done = last.then(work);
      last = done.catch(() => undefined);
      return done;
    },
  };
}
