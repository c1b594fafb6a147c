import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { loginRequest, loginResponseSchema } from '#contract/auth.ts';
import {
  type PlantWithReadings,
  plantsWithReadingsRequest,
  plantsWithReadingsSchema,
} from '#contract/plants.ts';
import type { ApiRequest } from '#contract/request.ts';
import { createDevice, type Device, measure } from './device/device.ts';
import {
  type Connection,
  exchange,
  type ReceivedResponse,
  reasonOf,
  requireAccepted,
} from './device/exchange.ts';
import { report } from './device/report.ts';
import type { Surroundings } from './world/climate.ts';
import { soilNow } from './world/soil-now.ts';

export interface AccountDevicesOptions extends Connection {
  usernameOrEmail: string;
  password: string;
  everyMs: number;
  surroundingsOf: (plant: PlantWithReadings) => Surroundings;
  onError?: (message: string) => void;
}

/** A plant's device, and the time (ms) of the newest watering that has already raised its simulated soil humidity. */
interface PlantDevice {
  device: Device;
  wateredAt: number;
}

/** What runAccountDevices keeps between its rounds of reports. */
export interface AccountDevicesState {
  token: string | null;
  /** Whether the password was rejected. Further attempts would lock out the account's owner too. */
  isPasswordRejected: boolean;
  devices: Map<string, PlantDevice>;
}

export function createAccountDevicesState(): AccountDevicesState {
  return { token: null, isPasswordRejected: false, devices: new Map() };
}

/**
 * Reports for every plant with a device, round after round, until `signal` aborts or the password is rejected. Never
 * rejects.
 */
export async function runAccountDevices(options: AccountDevicesOptions): Promise<void> {
  const { signal, everyMs } = options;
  const memory = createAccountDevicesState();
  while (!signal.aborted) {
    await postRound(options, memory);
    if (memory.isPasswordRejected) return;
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Reports one reading for every plant with a device. A failure goes to onError; the next round tries again. */
export async function postRound(
  options: AccountDevicesOptions,
  memory: AccountDevicesState,
): Promise<void> {
  await reportFailure(options, 'Could not read the plants', async () => {
    const response = await sendSignedIn(options, memory, plantsWithReadingsRequest());
    for (const plant of v.parse(plantsWithReadingsSchema, requireAccepted(response))) {
      if (options.signal.aborted || memory.isPasswordRejected) return;
      if (!plant.device_id) continue;
      const problem = `Could not report for plant ${plant.id}`;
      await reportFailure(options, problem, () => reportFor(options, memory, plant));
    }
  });
}

async function reportFor(
  options: AccountDevicesOptions,
  memory: AccountDevicesState,
  plant: PlantWithReadings,
): Promise<void> {
  const now = options.now();
  const id = String(plant.id);
  const device = deviceNow(options, memory, id, plant);
  measure(device, now, now);
  await report(device, {
    target: { plant_id: id },
    send: (request) => sendSignedIn(options, memory, request),
    now: options.now,
  });
}

/** The plant's device with its soil updated, because people water by hand and other devices report too. */
function deviceNow(
  { surroundingsOf, now }: AccountDevicesOptions,
  { devices }: AccountDevicesState,
  id: string,
  plant: PlantWithReadings,
): Device {
  const surroundings = surroundingsOf(plant);
  const known = devices.get(id);
  const { wateredAt, ...soil } = soilNow(
    surroundings,
    plant,
    now(),
    known && { ...known.device.soil, wateredAt: known.wateredAt, pumped: known.device.pumped },
  );
  const device = known?.device ?? createDevice(surroundings, soil);
  device.surroundings = surroundings;
  device.soil = soil;
  devices.set(id, { device, wateredAt });
  return device;
}

/** Sends a request. If the token is missing or is rejected, signs in and then sends the request with the new one. */
async function sendSignedIn(
  options: AccountDevicesOptions,
  memory: AccountDevicesState,
  request: ApiRequest,
): Promise<ReceivedResponse> {
  if (memory.token !== null) {
    const response = await exchange(options, request, memory.token);
    if (response.status !== 401) return response;
  }
  memory.token = null;
  memory.token = await signIn(options, memory);
  return await exchange(options, request, memory.token);
}

async function signIn(
  options: AccountDevicesOptions,
  memory: AccountDevicesState,
): Promise<string> {
  const request = loginRequest({
    username_or_email: options.usernameOrEmail,
    password: options.password,
    // Otherwise each start would leave a session that lasts 30 days.
    rememberMe: false,
  });
  const response = await exchange(options, request, null);
  if (response.status === 401) memory.isPasswordRejected = true;
  return v.parse(loginResponseSchema, requireAccepted(response)).access_token;
}

async function reportFailure(
  { signal, onError }: AccountDevicesOptions,
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
