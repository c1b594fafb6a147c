import type { Op } from '#client/store/outbox/op.ts';
import { seeded } from '../../../support/seeded.ts';
import { findViolations } from './checks/find-violations.ts';
import type { CrashPoint } from './crash-point.ts';
import type { CrashPlan } from './faults.ts';
import { type ModelDevice, openModelDevice } from './model-device.ts';
import { type EngineRun, pullOnce, runEngine } from './model-engine.ts';
import { createModelNetwork, isListPath } from './model-network.ts';
import type { ModelServer } from './model-server.ts';
import { Simulation } from './simulation.ts';
import { Users } from './users/users.ts';

export interface ScheduleResult {
  schedule: number;
  /** How many crash points the engines passed. */
  crashPoints: number;
  crashes: number;
  /** Whether the engine did not crash at the planned point although the run passed that point. */
  missedCrash: boolean;
  intents: number;
  effects: number;
  /** What must never happen and did. */
  violations: string[];
}

const longRun: EngineRun = { sleeps: 8, isHidden: false, requestedBy: 'person' };
/** Pushes what is due, pulls and ends. */
const shortRun: EngineRun = { sleeps: 0, isHidden: false, requestedBy: null };
/** After this time another engine may claim an op that is in flight, except an upload. */
const longestAttemptMs = 20_000;
/** After these responses an op may be sent with a new request. */
const allowsNewRequest: readonly number[] = [409, 412, 424, 425, 429];
const dayMs = 86_400_000;
let schedules = 0;

/**
 * One schedule: people use two devices of an account, and sometimes a third one of another account. Engines crash and
 * freeze, requests are lost or delayed, sessions end, the server restarts. Then the faults are over, every device
 * syncs, and what is stored is compared with what people did.
 */
export async function runSchedule(
  server: ModelServer,
  seed: number,
  schedule: number,
  crashPlan: CrashPlan,
): Promise<ScheduleResult> {
  schedules += 1;
  const number = schedules;
  // The time of day comes from the seed, because behaviour depends on it: a Date header has whole seconds.
  const today = Math.ceil(server.now / dayMs) * dayMs;
  server.now = today + seeded(seed, -1_000_000_000 - schedule).below(dayMs);
  const sim = new Simulation(server, seed, schedule, crashPlan);
  const { random, faults, effects } = sim;
  const users = new Users(sim);
  const network = createModelNetwork(sim);
  const account = await server.addAccount();
  const name = (device: string) => `model-${number}-${device}`;
  const devices = [
    await openModelDevice(sim, account, name('phone')),
    await openModelDevice(sim, account, name('laptop')),
  ];
  if (random.chance(0.1)) {
    devices.push(await openModelDevice(sim, await server.addAccount(), name('guest')));
  }
  let crashes = 0;
  let depth = 0;

  async function sync(device: ModelDevice, run: EngineRun): Promise<void> {
    // With Web Locks a second engine would wait for the lock.
    if (device.hasLocks && device.running > 0) return;
    if (await runEngine(sim, device, network, (point) => interrupt(device, point), run)) {
      crashes += 1;
    }
  }

  /** Another tab of the device, which was asleep, pulls once. */
  async function pullInOtherTab(device: ModelDevice): Promise<void> {
    if (await pullOnce(sim, device, network, (point) => interrupt(device, point))) crashes += 1;
  }

  async function syncFully(device: ModelDevice): Promise<void> {
    sim.advance(2 * 3_600_000);
    // After clocks were changed no round is requested, because a request ends waits: a wait that never ends, caused by a
    // wrong clock, would not be noticed.
    const run = sim.clocks.areSet ? { ...longRun, requestedBy: null } : longRun;
    await sync(device, run);
    // Its session had ended: it signs in again.
    if (device.token === null) await sync(device, run);
    // An empty list deletes the device's plants only when it is pulled twice.
    if (effects.isEmpty(device.account.email)) await sync(device, run);
  }

  function randomRun(): EngineRun {
    return {
      sleeps: random.below(4),
      isHidden: random.chance(0.15),
      requestedBy: random.pick([null, 'page', 'page', 'person'] as const),
    };
  }

  /** Decides at each crash point what happens before the engine continues. */
  async function interrupt(device: ModelDevice, point: CrashPoint): Promise<void> {
    if (faults.areOver || depth >= 2) return;
    sim.clocks.setRandomly(device, 0.02);
    depth += 1;
    if (isChangeResponse(point) && random.chance(freezeChance(point.statuses))) {
      await freeze(device);
    } else if (isEffectResponse(point) && !device.hasLocks && random.chance(0.15)) {
      await pullMeanwhile(device);
    } else if (isListResponse(point) && !device.hasLocks && random.chance(0.25)) {
      await pushMeanwhile(device);
    } else if (random.chance(0.06)) await randomEvent(device);
    depth -= 1;
  }

  /** The engine freezes with a response in memory. Without locks another engine takes its op over meanwhile. */
  async function freeze(device: ModelDevice): Promise<void> {
    if (random.chance(0.7)) sim.advance(longestAttemptMs + 1);
    faults.isNetworkBad = random.chance(0.5);
    await sync(device, randomRun());
    faults.isNetworkBad = false;
  }

  /**
   * Another device changes the plant of an op in flight, and another tab of this device pulls that change without
   * touching the op. The response that this tab has received is then older than the row.
   */
  async function pullMeanwhile(device: ModelDevice): Promise<void> {
    await changeElsewhere(device, 'inflight');
    await pullInOtherTab(device);
  }

  /**
   * Another tab of the device sends a change without pulling, so the list that this one has received is out of date.
   */
  async function pushMeanwhile(device: ModelDevice): Promise<void> {
    await users.change(device);
    await sync(device, { ...shortRun, isHidden: true });
  }

  async function randomEvent(device: ModelDevice): Promise<void> {
    const choice = random.below(100);
    if (choice < 40) return users.change(device);
    if (choice < 55) return users.change(random.pick(devices));
    if (choice < 60) return users.decide(random.pick(devices));
    if (choice < 68) return sync(random.pick(devices), randomRun());
    // Another tab of the same device.
    if (choice < 80) return sync(device, randomRun());
    if (choice < 92) return sim.deliverDelayed();
    if (choice < 95) return server.endSessions(device.account);
    if (choice < 97) return server.restart();
    device.offlineUntil = sim.now + random.below(60_000);
  }

  /**
   * Another device changes the plant of an op whose result is unknown, and this device syncs. It usually pulls that
   * change before it sends the op again: the response to the op is then older than the row.
   */
  async function changeUncertainElsewhere(device: ModelDevice): Promise<void> {
    if (await changeElsewhere(device, 'uncertain')) await sync(device, shortRun);
  }

  /** Another device changes the plant of an op in this state. False if there is none. */
  async function changeElsewhere(device: ModelDevice, state: Op['state']): Promise<boolean> {
    const other = otherOf(device);
    const label = await users.labelOfOp(device, state);
    if (!other || label === null) return false;
    await sync(other, shortRun);
    await users.changePlant(other, label);
    await sync(other, shortRun);
    return true;
  }

  /** The server rejects a change of this device, or the change overwrites another, and the person decides. */
  async function decideAboutChange(device: ModelDevice): Promise<void> {
    const other = otherOf(device);
    if (!other) return;
    await sync(other, shortRun);
    if (!(await users.changeWaitingElsewhere(device, other))) return;
    await sync(other, shortRun);
    await sync(device, shortRun);
    await users.decide(device);
  }

  function otherOf(device: ModelDevice): ModelDevice | undefined {
    return devices.find((one) => one !== device && one.account === device.account);
  }

  const actions = 4 + random.below(6);
  for (let i = 0; i < actions; i++) {
    const device = random.pick(devices);
    sim.clocks.setRandomly(device, 0.35);
    await users.change(device);
    if (random.chance(0.5)) await sync(random.pick(devices), randomRun());
    if (random.chance(0.5)) await changeUncertainElsewhere(random.pick(devices));
    if (random.chance(0.4)) await decideAboutChange(random.pick(devices));
    if (random.chance(0.1)) await randomEvent(device);
  }
  faults.areOver = true;
  while (sim.delayed.length > 0) await sim.deliverDelayed();
  // Each device syncs again at the end, to pull what the others have sent and what its own last ops have changed.
  for (const device of [...devices, ...devices]) await syncFully(device);
  const violations = await findViolations(sim, users, devices);
  for (const { db } of devices) await db.delete();
  return {
    schedule,
    crashPoints: faults.crashPoints,
    crashes,
    missedCrash:
      typeof crashPlan === 'object' && crashPlan.at <= faults.crashPoints && crashes === 0,
    intents: users.intents.length,
    effects: effects.count,
    violations,
  };
}

function isChangeResponse(point: CrashPoint): point is CrashPoint & { type: 'response' } {
  return point.type === 'response' && point.method !== 'GET';
}

/** A response to a change that the server has executed. */
function isEffectResponse(point: CrashPoint): boolean {
  return isChangeResponse(point) && point.statuses.some((status) => status < 300);
}

function isListResponse(point: CrashPoint): boolean {
  return point.type === 'response' && point.method === 'GET' && isListPath(point.url);
}

/** Higher if the op may be sent with a new request: another engine may then send it before this result is stored. */
function freezeChance(statuses: readonly number[]): number {
  return statuses.some((status) => allowsNewRequest.includes(status)) ? 0.5 : 0.12;
}
