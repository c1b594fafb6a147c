import { setMaxListeners } from 'node:events';
import { type Connection, ResponseError, reasonOf } from './device/exchange.ts';
import { type Pause, pauseAfter } from './device/run-device.ts';
import { runDevices } from './device/run-devices.ts';
import { makeLoad } from './load.ts';
import type { SimulateOptions } from './options.ts';
import { type SimulatedDevice, setUpDevices } from './set-up-devices.ts';

export interface Outside {
  fetch: typeof fetch;
  /** ms */
  now: () => number;
  random: () => number;
  pause: Pause;
  /** Aborting it ends the run cleanly. */
  signal: AbortSignal;
  print: (line: string) => void;
}

const tries = 5;

/** Runs the command. Resolves to its exit code: 0 at the end, 1 if it could not start. */
export async function simulate(asked: SimulateOptions, outside: Outside): Promise<number> {
  const timeOver = new AbortController();
  const signal = AbortSignal.any([outside.signal, timeOver.signal]);
  // One listener per device; without this, Node.js warns of more than ten.
  setMaxListeners(0, signal);
  let isReached = false;
  const connection: Connection = {
    baseUrl: asked.url,
    now: outside.now,
    signal,
    fetch: async (...request) => {
      const response = await outside.fetch(...request);
      isReached = true;
      return response;
    },
  };
  const simulated = await setUpWithRetries(asked, connection, outside);
  if (simulated === null) return signal.aborted && isReached ? 0 : 1;
  const { forMs } = asked;
  if (forMs !== null) void outside.pause(forMs, signal).then(() => timeOver.abort());
  if (asked.load === null) await runDevices(simulated, { ...outside, ...connection, asked });
  else await makeLoad(simulated, { ...outside, ...connection, seed: asked.seed });
  return 0;
}

/** Null if the setup fails, after printing the reason, or if `signal` aborts. */
async function setUpWithRetries(
  asked: SimulateOptions,
  connection: Connection,
  { print, pause, random, signal }: Outside,
): Promise<SimulatedDevice[] | null> {
  const { email, password, load } = asked;
  const wanted = { email, password, count: load ?? asked.plants, forLoad: load !== null };
  for (let failures = 1; ; failures += 1) {
    try {
      return await setUpDevices(connection, wanted);
    } catch (error) {
      if (signal.aborted) return null;
      const isRejected = error instanceof ResponseError && error.status < 500;
      const isOver = isRejected || failures === tries;
      print(`Cannot begin at ${asked.url}: ${reasonOf(error)}${isOver ? '' : '; trying again'}`);
      if (isOver) return null;
      await pause(pauseAfter(failures, random), signal);
    }
  }
}
