import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { loginAnswerSchema, loginRequest } from '#contract/auth.ts';
import { createLogRequest } from '#contract/logs.ts';
import {
  type PlantWithReadings,
  plantsWithReadingsRequest,
  plantsWithReadingsSchema,
} from '#contract/plants.ts';
import type { ApiRequest } from '#contract/request.ts';
import { readingAt, type Surroundings } from './climate.ts';
import { type FedSoil, soilNow } from './soil-now.ts';

export interface FeederOptions {
  fetch: typeof fetch;
  /** Without a slash at the end. */
  baseUrl: string;
  usernameOrEmail: string;
  password: string;
  everyMs: number;
  now: () => number;
  surroundingsOf: (plant: PlantWithReadings) => Surroundings;
  signal: AbortSignal;
  onError?: (message: string) => void;
}

/** What a feeder keeps between two rounds. */
export interface FeederMemory {
  token: string | null;
  /** Its password is no longer right. Trying on would lock the account's owner out too. */
  refused: boolean;
  soils: Map<string, FedSoil>;
}

export function createFeederMemory(): FeederMemory {
  return { token: null, refused: false, soils: new Map() };
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

/** One reading for every plant with a device. What fails is told to onError and left for the next round. */
export async function postRound(options: FeederOptions, memory: FeederMemory): Promise<void> {
  await tell(options, 'Could not read the plants', async () => {
    const answer = await sendSignedIn(options, memory, plantsWithReadingsRequest());
    for (const plant of v.parse(plantsWithReadingsSchema, answer)) {
      if (!plant.device_id || options.signal.aborted) continue;
      const problem = `Could not report for plant ${plant.id}`;
      await tell(options, problem, () => postReading(options, memory, plant));
    }
  });
}

async function postReading(
  options: FeederOptions,
  memory: FeederMemory,
  plant: PlantWithReadings,
): Promise<void> {
  const now = options.now();
  const surroundings = options.surroundingsOf(plant);
  const id = String(plant.id);
  const soil = soilNow(surroundings, plant, now, memory.soils.get(id));
  const reading = readingAt(surroundings, now, soil.humidity);
  await sendSignedIn(options, memory, createLogRequest({ plant_id: id, ...reading }));
  memory.soils.set(id, soil);
}

/** The answer's JSON; a token that is missing or refused is replaced once. */
async function sendSignedIn(
  options: FeederOptions,
  memory: FeederMemory,
  request: ApiRequest,
): Promise<unknown> {
  if (memory.token !== null) {
    const answer = await send(options, request, memory.token);
    if (answer.status !== 401) return accepted(answer);
  }
  memory.token = null;
  memory.token = await signIn(options, memory);
  return accepted(await send(options, request, memory.token));
}

async function signIn(options: FeederOptions, memory: FeederMemory): Promise<string> {
  const request = loginRequest({
    username_or_email: options.usernameOrEmail,
    password: options.password,
    rememberMe: true,
  });
  const answer = await send(options, request, null);
  memory.refused = answer.status === 401;
  return v.parse(loginAnswerSchema, accepted(answer)).access_token;
}

interface Received {
  status: number;
  text: string;
}

async function send(
  { fetch, baseUrl, signal }: FeederOptions,
  { method, path, body }: ApiRequest,
  token: string | null,
): Promise<Received> {
  const answer = await fetch(baseUrl + path, {
    method,
    body,
    signal,
    headers: {
      ...(body !== null && { 'content-type': 'application/json' }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
  });
  return { status: answer.status, text: await answer.text() };
}

function accepted({ status, text }: Received): unknown {
  if (status < 200 || status > 299) throw new Error(`the server answered ${status}`);
  return JSON.parse(text);
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
    onError?.(`${problem}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
