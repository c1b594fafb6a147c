import { createLogRequest } from '#contract/logs.ts';
import type { ApiRequest } from '#contract/request.ts';
import {
  type Connection,
  exchange,
  isRejectedForGood,
  ResponseError,
  reasonOf,
  requireAccepted,
} from './device/exchange.ts';
import type { Pause } from './device/run-device.ts';
import type { SimulatedDevice } from './set-up-devices.ts';
import { readingAt, surroundingsOf } from './world/climate.ts';

/** A histogram of response times, exact to 1 %. Its size does not grow with the number of responses. */
export type Latencies = Map<number, number>;

const step = 1.01;
const smallestMs = 0.01;

export function addLatency(latencies: Latencies, ms: number): void {
  const bucket = Math.round(Math.log(Math.max(ms, smallestMs)) / Math.log(step));
  latencies.set(bucket, (latencies.get(bucket) ?? 0) + 1);
}

/** The percentile of `share`, in ms; 0 when nothing was added. */
export function percentile(latencies: Latencies, share: number): number {
  let left = share * countOf(latencies);
  for (const [bucket, times] of [...latencies].sort(([a], [b]) => a - b)) {
    left -= times;
    if (left <= 0) return step ** bucket;
  }
  return 0;
}

export function countOf(latencies: Latencies): number {
  return [...latencies.values()].reduce((sum, times) => sum + times, 0);
}

interface LoadOptions extends Connection {
  seed: number;
  pause: Pause;
  print: (line: string) => void;
}

/** What happened in a span of time. */
interface LoadCounters {
  /** ms */
  since: number;
  responded: Latencies;
  /** Number of failures by reason. */
  failed: Map<string, number>;
}

const figuresEveryMs = 5_000;
/** The pause after a failure, so that a server that is down is not flooded. */
const afterFailureMs = 100;
const soilPercent = 50;

/** Each device sends its next report as soon as it has the response to the last one, until `signal` aborts. */
export async function makeLoad(
  simulated: readonly SimulatedDevice[],
  options: LoadOptions,
): Promise<void> {
  const { now, signal, pause, print } = options;
  const whole = createCounters(now());
  let recent = createCounters(now());
  const figures = async () => {
    while (!signal.aborted) {
      await pause(figuresEveryMs, signal);
      if (signal.aborted) return;
      print(inWords(recent, now()));
      recent = createCounters(now());
    }
  };
  const devices = simulated.map((device, n) =>
    reportUntilAborted(device, { ...options, seed: options.seed + n }, () => [whole, recent]),
  );
  await Promise.all([figures(), ...devices]);
  print(`${countOf(whole.responded)} reports in total. ${inWords(whole, now())}`);
}

async function reportUntilAborted(
  { plant, token, isShared }: SimulatedDevice,
  options: LoadOptions,
  counters: () => LoadCounters[],
): Promise<void> {
  const { signal, now, seed } = options;
  const surroundings = surroundingsOf(plant, seed);
  const target = isShared ? { plant_id: String(plant.id) } : {};
  while (!signal.aborted) {
    const reading = readingAt(surroundings, now(), soilPercent);
    const request = createLogRequest({ ...target, ...reading });
    let isDone = false;
    while (!isDone && !signal.aborted) isDone = await sendOnce(request, token, options, counters);
  }
}

/**
 * Sends a reading, counts what happens and waits after a failure. Resolves to false if the reading should be sent
 * again.
 */
async function sendOnce(
  request: ApiRequest,
  token: string,
  options: LoadOptions,
  counters: () => LoadCounters[],
): Promise<boolean> {
  const { signal, pause } = options;
  const begun = performance.now();
  try {
    requireAccepted(await exchange(options, request, token));
    const tookMs = performance.now() - begun;
    for (const { responded } of counters()) addLatency(responded, tookMs);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    const isResponse = error instanceof ResponseError;
    const reason = isResponse ? String(error.status) : reasonOf(error);
    for (const { failed } of counters()) failed.set(reason, (failed.get(reason) ?? 0) + 1);
    await pause(Math.max(afterFailureMs, isResponse ? error.retryAfterMs : 0), signal);
    return isResponse && isRejectedForGood(error.status);
  }
}

function createCounters(since: number): LoadCounters {
  return { since, responded: new Map(), failed: new Map() };
}

function inWords({ since, responded, failed }: LoadCounters, now: number): string {
  const perSecond = (countOf(responded) * 1_000) / Math.max(1, now - since);
  const ms = (share: number) => `${percentile(responded, share).toFixed(1)} ms`;
  const errors = [...failed].map(([reason, times]) => `${times} (${reason})`).join(', ');
  return `${perSecond.toFixed(0)} requests/s, p50 ${ms(0.5)}, p95 ${ms(0.95)}, p99 ${ms(0.99)}, errors: ${errors || 'none'}`;
}
