import { AnswerError, type Connection, reasonOf } from './device/exchange.ts';
import { type Pause, pauseAfter } from './device/run-device.ts';
import { runDevices } from './device/run-devices.ts';
import { type Enrolled, enrol } from './enrol.ts';
import { makeLoad } from './load/load.ts';
import type { SimulateOptions } from './options.ts';

export interface Outside {
  fetch: typeof fetch;
  /** ms */
  now: () => number;
  random: () => number;
  pause: Pause;
  /** Aborting it ends the run in good order. */
  signal: AbortSignal;
  print: (line: string) => void;
}

const tries = 5;

/** Runs the command. Resolves to its exit code: 0 at the end, 1 if it could not start. */
export async function simulate(asked: SimulateOptions, outside: Outside): Promise<number> {
  let isReached = false;
  const connection: Connection = {
    baseUrl: asked.url,
    now: outside.now,
    signal: outside.signal,
    fetch: async (...request) => {
      const answer = await outside.fetch(...request);
      isReached = true;
      return answer;
    },
  };
  const enrolled = await enrolPatiently(asked, connection, outside);
  if (enrolled === null) return outside.signal.aborted && isReached ? 0 : 1;
  if (asked.load === null) await runDevices(enrolled, { ...outside, ...connection, asked });
  else await makeLoad(enrolled, { ...outside, ...connection, seed: asked.seed });
  return 0;
}

/** Null when that fails; the reason is printed. */
async function enrolPatiently(
  asked: SimulateOptions,
  connection: Connection,
  { print, pause, random, signal }: Outside,
): Promise<Enrolled[] | null> {
  const { email, password, load } = asked;
  const wanted = { email, password, count: load ?? asked.plants, forLoad: load !== null };
  for (let failures = 1; ; failures += 1) {
    try {
      return await enrol(connection, wanted);
    } catch (error) {
      if (signal.aborted) return null;
      const isRefused = error instanceof AnswerError && error.status < 500;
      const isOver = isRefused || failures === tries;
      print(`Cannot begin at ${asked.url}: ${reasonOf(error)}${isOver ? '' : '; trying again'}`);
      if (isOver) return null;
      await pause(pauseAfter(failures, random), signal);
    }
  }
}
