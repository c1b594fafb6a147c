import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { loginAnswerSchema, loginRequest } from '#contract/auth.ts';
import {
  type PlantWithReadings,
  plantsWithReadingsRequest,
  plantsWithReadingsSchema,
} from '#contract/plants.ts';
import type { ApiRequest } from '#contract/request.ts';
import { createDevice, type Device, measure } from './device/device.ts';
import { accepted, type Connection, exchange, type Received, reasonOf } from './device/exchange.ts';
import { report } from './load/report.ts';
import type { Surroundings } from './world/climate.ts';
import { soilNow } from './world/soil-now.ts';

export interface FeederOptions extends Connection {
  usernameOrEmail: string;
  password: string;
  everyMs: number;
  surroundingsOf: (plant: PlantWithReadings) => Surroundings;
  onError?: (message: string) => void;
}

/** A plant's device, and the newest watering (ms) that is in its soil. */
interface FedPlant {
  device: Device;
  wateredAt: number;
}

/** The state of a feeder between rounds. */
export interface FeederMemory {
  token: string | null;
  /** The password was refused. Further attempts would lock out the account's owner too. */
  refused: boolean;
  fed: Map<string, FedPlant>;
}

export function createFeederMemory(): FeederMemory {
  return { token: null, refused: false, fed: new Map() };
}

/** Reports for every plant with a device, round after round, until `signal` aborts or the sign-in is refused. Never rejects. */
export async function startFeeder(options: FeederOptions): Promise<void> {
  const { signal, everyMs } = options;
  const memory = createFeederMemory();
  while (!signal.aborted) {
    await postRound(options, memory);
    if (memory.refused) return;
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Reports one reading for every plant with a device. A failure goes to onError; the next round tries again. */
export async function postRound(options: FeederOptions, memory: FeederMemory): Promise<void> {
  await tell(options, 'Could not read the plants', async () => {
    const answer = await sendSignedIn(options, memory, plantsWithReadingsRequest());
    for (const plant of v.parse(plantsWithReadingsSchema, accepted(answer))) {
      if (!plant.device_id || options.signal.aborted) continue;
      const problem = `Could not report for plant ${plant.id}`;
      await tell(options, problem, () => reportFor(options, memory, plant));
    }
  });
}

async function reportFor(
  options: FeederOptions,
  memory: FeederMemory,
  plant: PlantWithReadings,
): Promise<void> {
  const now = options.now();
  const id = String(plant.id);
  const device = deviceNow(options, memory, id, plant);
  measure(device, now, now);
  await report(device, {
    address: { plant_id: id },
    send: (request) => sendSignedIn(options, memory, request),
    now: options.now,
  });
}

/** The plant's device with its present soil: people water by hand, and other devices report too. */
function deviceNow(
  { surroundingsOf, now }: FeederOptions,
  { fed }: FeederMemory,
  id: string,
  plant: PlantWithReadings,
): Device {
  const surroundings = surroundingsOf(plant);
  const known = fed.get(id);
  const { wateredAt, ...soil } = soilNow(
    surroundings,
    plant,
    now(),
    known && { ...known.device.soil, wateredAt: known.wateredAt, pumped: known.device.pumped },
  );
  const device = known?.device ?? createDevice(surroundings, soil);
  device.surroundings = surroundings;
  device.soil = soil;
  fed.set(id, { device, wateredAt });
  return device;
}

/** Sends a request; signs in first, or once more, if the token is missing or refused. */
async function sendSignedIn(
  options: FeederOptions,
  memory: FeederMemory,
  request: ApiRequest,
): Promise<Received> {
  if (memory.token !== null) {
    const answer = await exchange(options, request, memory.token);
    if (answer.status !== 401) return answer;
  }
  memory.token = null;
  memory.token = await signIn(options, memory);
  return await exchange(options, request, memory.token);
}

async function signIn(options: FeederOptions, memory: FeederMemory): Promise<string> {
  const request = loginRequest({
    username_or_email: options.usernameOrEmail,
    password: options.password,
    rememberMe: true,
  });
  const answer = await exchange(options, request, null);
  memory.refused = answer.status === 401;
  return v.parse(loginAnswerSchema, accepted(answer)).access_token;
}

async function tell(
  { signal, onError }: FeederOptions,
  problem: string,
  attempt: () => Promise<void>,
): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    if (signal.aborted) return;
    onError?.(`${problem}: ${reasonOf(error)}`);
  }
}
