import { findFaults } from './find-faults.ts';
import { People } from './intents.ts';
import { type ModelDevice, openModelDevice, runEngine, type Session } from './model-device.ts';
import { createModelNetwork } from './model-network.ts';
import type { Lane } from './model-server.ts';
import { type CrashPlan, World } from './world.ts';

export interface Played {
  /** Gates that a context passed, each a moment to crash at. */
  steps: number;
  crashes: number;
  intents: number;
  effects: number;
  /** What must never happen and did; empty when all is well. */
  faults: string[];
}

const patient: Session = { sleeps: 8, isHidden: false, requestedBy: 'person' };
let played = 0;

/**
 * One schedule: people use two devices of an account (at times a third, of another account, is used on the same
 * machine), contexts crash, requests get lost or late, sessions end, the server restarts. Then all is calm, everything
 * syncs, and what is there is compared with what people did.
 */
export async function playSchedule(
  lane: Lane,
  seed: number,
  schedule: number,
  crashes: CrashPlan,
): Promise<Played> {
  played += 1;
  const number = played;
  const world = new World(lane, seed, schedule, crashes);
  const people = new People(world);
  const network = createModelNetwork(world);
  const [mine, other] = [await lane.addAccount(), await lane.addAccount()];
  const name = (owner: string) => `model-${number}-${owner}`;
  const devices = [
    await openModelDevice(world, mine, name('phone')),
    await openModelDevice(world, mine, name('laptop')),
  ];
  if (world.random.chance(0.1)) devices.push(await openModelDevice(world, other, name('guest')));
  let crashCount = 0;
  let depth = 0;

  async function sync(device: ModelDevice, session: Session): Promise<void> {
    // Whoever has to wait for the lock does what it does later.
    if (device.hasLocks && device.running > 0) return;
    const isCrashed = await runEngine(
      world,
      device,
      network,
      (at) => interrupt(device, at),
      session,
    );
    if (isCrashed) crashCount += 1;
  }

  async function settleDown(device: ModelDevice): Promise<void> {
    world.pass(2 * 3_600_000);
    await sync(device, patient);
    // Its session had ended: it signs in again.
    if (device.token === null) await sync(device, patient);
    // An empty garden has to be seen twice.
    if (world.ledger.isEmpty(device.account.email)) await sync(device, patient);
  }

  function anySession(): Session {
    const { random } = world;
    return {
      sleeps: random.below(4),
      isHidden: random.chance(0.15),
      requestedBy: random.pick([null, 'page', 'page', 'person'] as const),
    };
  }

  /** Between any two steps of a context the world goes on. */
  async function interrupt(device: ModelDevice, at: string): Promise<void> {
    const { random, isCalm } = world;
    if (isCalm || depth >= 2) return;
    // With an answer in hand that is not yet written down, a context is overtaken most easily.
    const isAnswered = /^after (POST|PUT|DELETE)/.test(at);
    depth += 1;
    if (isAnswered && random.chance(0.12)) await sync(device, anySession());
    else if (random.chance(0.06)) await somethingHappens(device);
    depth -= 1;
  }

  async function somethingHappens(device: ModelDevice): Promise<void> {
    const { random } = world;
    const choice = random.below(100);
    if (choice < 40) return people.act(device);
    if (choice < 55) return people.act(random.pick(devices));
    if (choice < 68) return sync(random.pick(devices), anySession());
    // Another tab of the same device, where tabs know nothing of each other.
    if (choice < 80) return sync(device, anySession());
    if (choice < 92) return world.deliverLate();
    if (choice < 95) return lane.endSessions(device.account);
    if (choice < 97) return lane.restart();
    device.offlineUntil = world.now + random.below(60_000);
  }

  const actions = 4 + world.random.below(6);
  for (let i = 0; i < actions; i++) {
    const device = world.random.pick(devices);
    await people.act(device);
    if (world.random.chance(0.5)) await sync(world.random.pick(devices), anySession());
    if (world.random.chance(0.1)) await somethingHappens(device);
  }
  world.isCalm = true;
  while (world.late.length > 0) await world.deliverLate();
  // What the later ones send, the first has to hear of.
  for (const device of [...devices, ...devices.slice(0, 1)]) await settleDown(device);
  const faults = await findFaults(world, people, devices);
  for (const { db } of devices) await db.delete();
  return {
    steps: world.steps,
    crashes: crashCount,
    intents: people.intents.length,
    effects: world.ledger.effects,
    faults,
  };
}
