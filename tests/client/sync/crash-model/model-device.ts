import { openDeviceDb } from '#client/store/database.ts';
import { isRejected } from '#client/store/outbox/op.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import type { SyncContext } from '#client/sync/context.ts';
import { lead } from '#client/sync/leader.ts';
import { createSchedule, type Requester } from '#client/sync/schedule.ts';
import type { Sleeper } from '#client/sync/sleeper.ts';
import { Crashed, forbidOtherWrites, type Gate, gatedDb, type InTurn } from './gates.ts';
import type { ModelFetch } from './model-network.ts';
import type { ModelAccount, World } from './world.ts';

/** A device of an account: one database, and the contexts that work on it until they end or crash. */
export interface ModelDevice {
  readonly name: string;
  readonly account: ModelAccount;
  db: DeviceDb;
  /** What its screens write by. */
  page: DeviceDb;
  /** Its browser knows Web Locks: no two contexts of the engine work on it at a time. */
  hasLocks: boolean;
  offlineUntil: number;
  token: string | null;
  /** Contexts of the engine that are alive. */
  running: number;
}

export async function openModelDevice(
  world: World,
  account: ModelAccount,
  name: string,
): Promise<ModelDevice> {
  const device: ModelDevice = {
    name,
    account,
    ...openDb(name),
    hasLocks: world.random.chance(0.5),
    offlineUntil: 0,
    token: await world.lane.signIn(account),
    running: 0,
  };
  return device;
}

function openDb(name: string): Pick<ModelDevice, 'db' | 'page'> {
  const db = openDeviceDb(name);
  forbidOtherWrites(db);
  return { db, page: gatedDb(db, async () => undefined) };
}

/** What a crash leaves: the database, opened anew. */
export function reopen(device: ModelDevice): void {
  device.db.close();
  Object.assign(device, openDb(device.name));
}

export interface Session {
  /** How often the engine may sleep before its page goes away; it goes at once when nothing waits. */
  sleeps: number;
  isHidden: boolean;
  /** Who requests a round before it leads. */
  requestedBy: Requester | null;
}

/**
 * Lets the real engine lead on a device. Its sleep is the world's clock moving on. True when the context crashed:
 * then every later gate refuses it too, so that it has no effect any more.
 */
export async function runEngine(
  world: World,
  device: ModelDevice,
  network: ModelFetch,
  interrupt: Gate,
  { sleeps, isHidden, requestedBy }: Session,
): Promise<boolean> {
  device.token ??= await world.lane.signIn(device.account);
  let isCrashed = false;
  const gate: Gate = async (where) => {
    isCrashed ||= world.crashesHere();
    if (isCrashed) throw new Crashed(where);
    await interrupt(where);
  };
  const abort = new AbortController();
  const { inTurn, allOver } = oneAtATime();
  const context: SyncContext = {
    db: gatedDb(device.db, gate, inTurn),
    fetch: (url, init) => inTurn(() => network(device, url, init, gate)),
    token: device.token,
    now: () => world.now,
    random: () => world.random.below(1_000) / 1_000,
    isOnline: () => world.now >= device.offlineUntil,
    signal: abort.signal,
  };
  let slept = 0;
  const sleeper: Sleeper = {
    wake: () => undefined,
    sleep: async (ms) => {
      await allOver();
      slept += 1;
      const isIdle = (await device.db.outbox.filter((op) => !isRejected(op)).count()) === 0;
      if (slept > sleeps || isIdle) abort.abort();
      else world.pass(Math.min(Math.max(ms, 0), 90_000));
    },
  };
  const schedule = createSchedule({ ...context, onOpsWaiting: () => undefined });
  schedule.setVisible(!isHidden);
  if (requestedBy) schedule.request(requestedBy);
  device.running += 1;
  try {
    const outcome = await lead(context, schedule, sleeper);
    if (outcome === 'unauthorized') device.token = null;
  } catch (error) {
    if (!isCrashed) throw error;
  } finally {
    await allOver();
    device.running -= 1;
  }
  if (isCrashed && device.running === 0) reopen(device);
  return isCrashed;
}

/**
 * What a context begins together, requests and transactions with their gates, goes one after the other, also what it
 * no longer waits for: so nothing of it goes on while it stands at a gate, and a schedule always runs alike.
 */
function oneAtATime(): { inTurn: InTurn; allOver: () => Promise<unknown> } {
  let last: Promise<unknown> = Promise.resolve();
  return {
    allOver: () => last,
    inTurn: (work) => {
      const done = last.then(work);
      last = done.catch(() => undefined);
      return done;
    },
  };
}
