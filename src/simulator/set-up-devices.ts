import * as v from 'valibot';
import { loginRequest, loginResponseSchema, logoutRequest } from '#contract/auth.ts';
import {
  createDeviceTokenRequest,
  deleteDeviceTokenRequest,
  deviceTokensRequest,
  deviceTokensSchema,
  newDeviceTokenSchema,
} from '#contract/device-tokens.ts';
import {
  createPlantRequest,
  type PlantWithReadings,
  plantRecordSchema,
  plantsWithReadingsRequest,
  plantsWithReadingsSchema,
} from '#contract/plants.ts';
import type { ApiRequest } from '#contract/request.ts';
import { plantToAdd } from './added-plants.ts';
import { type Connection, exchange, requireAccepted } from './device/exchange.ts';

/** A plant with a device, and the token of that device. */
export interface SimulatedDevice {
  plant: PlantWithReadings;
  deviceId: string;
  token: string;
  /** Whether other plants have the same device, so that a report must name its plant. */
  isShared: boolean;
}

export interface SetUpOptions {
  email: string;
  password: string;
  count: number;
  /** Whether the devices are for a load test. Such devices have their own plants, which other runs do not use. */
  forLoad: boolean;
}

/** Maximum number of tokens for load; further devices share them. An account may have at most 100 tokens. */
const loadTokens = 50;
const loadDevice = /^load-\d+$/;

type Send = <T>(request: ApiRequest, schema: v.GenericSchema<unknown, T>) => Promise<T>;

/** Signs in as the person, finds or adds plants, renews their devices' tokens, and signs out. */
export async function setUpDevices(
  connection: Connection,
  options: SetUpOptions,
): Promise<SimulatedDevice[]> {
  const { email, password } = options;
  const credentials = loginRequest({ username_or_email: email, password, rememberMe: false });
  const signedIn = requireAccepted(await exchange(connection, credentials, null));
  const { access_token } = v.parse(loginResponseSchema, signedIn);
  const send: Send = async (request, schema) =>
    v.parse(schema, requireAccepted(await exchange(connection, request, access_token)));
  try {
    const all = await send(plantsWithReadingsRequest(), plantsWithReadingsSchema);
    const present = all.filter(({ device_id }) => device_id);
    const chosen = present.filter(
      ({ device_id }) => loadDevice.test(device_id ?? '') === options.forLoad,
    );
    const added = await addPlants(send, options, all, chosen.length);
    return await issueTokens(
      send,
      [...chosen.slice(0, options.count), ...added],
      [...present, ...added],
    );
  } finally {
    await exchange(connection, logoutRequest(), access_token).catch(() => undefined);
  }
}

async function addPlants(
  send: Send,
  { count, forLoad }: SetUpOptions,
  all: readonly PlantWithReadings[],
  present: number,
): Promise<PlantWithReadings[]> {
  const names = new Set(all.flatMap(({ nickname, device_id }) => [nickname, device_id]));
  const added: PlantWithReadings[] = [];
  for (let n = 0; present + added.length < count; n += 1) {
    const nickname = forLoad ? `Load ${n + 1}` : `Sim ${n + 1}`;
    const deviceId = forLoad ? `load-${(n % loadTokens) + 1}` : `sim-${n + 1}`;
    if (names.has(nickname) || (!forLoad && names.has(deviceId))) continue;
    const auto_watering_enabled = !forLoad && n % 3 !== 2;
    const fields = plantToAdd(n, { nickname, device_id: deviceId, auto_watering_enabled });
    added.push(await send(createPlantRequest(fields), plantRecordSchema));
  }
  return added;
}

/** A token's secret is shown only once, so earlier tokens of these devices are of no use here and are revoked. */
async function issueTokens(
  send: Send,
  chosen: readonly PlantWithReadings[],
  all: readonly PlantWithReadings[],
): Promise<SimulatedDevice[]> {
  const deviceIds = new Set(chosen.map(deviceOf));
  for (const { id, device_id } of await send(deviceTokensRequest(), deviceTokensSchema)) {
    if (deviceIds.has(device_id)) await send(deleteDeviceTokenRequest(id), v.unknown());
  }
  const tokens = new Map<string, string>();
  for (const device_id of deviceIds) {
    const { token } = await send(createDeviceTokenRequest({ device_id }), newDeviceTokenSchema);
    tokens.set(device_id, token);
  }
  return chosen.map((plant) => {
    const deviceId = deviceOf(plant);
    const isShared = all.filter((other) => deviceOf(other) === deviceId).length > 1;
    return { plant, deviceId, token: tokens.get(deviceId) ?? '', isShared };
  });
}

function deviceOf({ device_id }: PlantWithReadings): string {
  return device_id ?? '';
}
