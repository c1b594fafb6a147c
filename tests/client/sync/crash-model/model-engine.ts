import { isRejected } from '#client/store/outbox/op.ts';
import type { SyncContext } from '#client/sync/context.ts';
import { lead } from '#client/sync/leader.ts';
import { pull } from '#client/sync/pull/pull.ts';
import { createBatchSize } from '#client/sync/push/batch-size.ts';
import { createSchedule, type Requester } from '#client/sync/schedule.ts';
import type { Sleeper } from '#client/sync/sleeper.ts';
import { type AtCrashPoint, CrashError, type RunInOrder, withCrashPoints } from './crash-point.ts';
import { checkWrites, type ModelDevice, reopen } from './model-device.ts';
import type { ModelFetch } from './model-network.ts';
import type { Simulation } from './simulation.ts';

export interface EngineRun {
  /** How often the engine may sleep before its page is closed. If no op waits, its next sleep closes the page. */
  sleeps: number;
  isHidden: boolean;
  /** Who has requested a round at the start. */
  requestedBy: Requester | null;
}

/**
 * Runs the real engine on a device; its sleep advances the clock. Resolves to true when it crashed: then every later
 * crash point rejects too, so that the engine has no further effect.
 */
export function runEngine(
  sim: Simulation,
  device: ModelDevice,
  network: ModelFetch,
  interrupt: AtCrashPoint,
  { sleeps, isHidden, requestedBy }: EngineRun,
): Promise<boolean> {
  return runTab(sim, device, network, interrupt, async ({ context, abort, idle }) => {
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
    // Sometimes the page was reloaded after the engine's last run.
    if (!sim.faults.areOver && sim.random.chance(0.2)) device.isLoaded = false;
    const own = createSchedule({ ...context, onOpsWaiting: () => undefined });
    const schedule = { ...own, isLoaded: () => device.isLoaded || own.isLoaded() };
    schedule.setVisible(!isHidden);
    if (requestedBy) schedule.request(requestedBy);
    const outcome = await lead(context, schedule, {
      sleeper,
      openLive: sim.live.openFor(device.account),
      // The database is not watched: a change would only end a sleep, and a sleep takes no real time here.
      watch: () => () => undefined,
    });
    if (outcome === 'unauthorized') device.token = null;
    await idle();
    device.isLoaded = schedule.isLoaded();
  });
}

/**
 * One pull of an engine that began earlier and was asleep. An engine that begins now would first treat the ops that
 * another one has in flight as left by a crash.
 */
export function pullOnce(
  sim: Simulation,
  device: ModelDevice,
  network: ModelFetch,
  interrupt: AtCrashPoint,
): Promise<boolean> {
  return runTab(sim, device, network, interrupt, async ({ context }) => {
    const { type } = await pull(context, !device.isLoaded);
    if (type === 'unauthorized') device.token = null;
  });
}

interface Tab {
  context: SyncContext;
  /** Stops its engine. */
  abort: AbortController;
  /** Resolves when all requests and transactions that the tab has started are done. */
  idle: () => Promise<unknown>;
}

/** Runs `work` in a tab of the device. Resolves to true when the tab crashed. */
async function runTab(
  sim: Simulation,
  device: ModelDevice,
  network: ModelFetch,
  interrupt: AtCrashPoint,
  work: (tab: Tab) => Promise<void>,
): Promise<boolean> {
  device.token ??= await sim.server.signIn(device.account);
  let isCrashed = false;
  const atCrashPoint: AtCrashPoint = async (point) => {
    await checkWrites(sim, device);
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
    now: () => sim.timeOf(device),
    random: () => sim.random.below(1_000) / 1_000,
    isOnline: () => sim.now >= device.offlineUntil,
    batchSize: createBatchSize(),
    signal: abort.signal,
  };
  device.running += 1;
  try {
    await work({ context, abort, idle });
  } catch (error) {
    if (!isCrashed) throw error;
  } finally {
    await idle();
    if (isCrashed) device.isLoaded = false;
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
