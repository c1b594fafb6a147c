import { createLogRequest } from '#contract/logs.ts';
import { AnswerError, accepted, type Connection, exchange, reasonOf } from '../device/exchange.ts';
import type { Pause } from '../device/run-device.ts';
import type { Enrolled } from '../enrol.ts';
import { readingAt } from '../world/climate.ts';
import { surroundingsOf } from '../world/surroundings-of.ts';
import { addLatency, countOf, type Latencies, percentile } from './latencies.ts';

export interface LoadOptions extends Connection {
  seed: number;
  pause: Pause;
  print: (line: string) => void;
}

/** What happened in a span of time. */
interface Tally {
  /** ms */
  since: number;
  answered: Latencies;
  /** Number of failures by reason. */
  failed: Map<string, number>;
}

const figuresEveryMs = 5_000;
/** The pause after a failure, so that a server that is down is not flooded. */
const afterFailureMs = 100;
const soilPercent = 50;

/** Each device sends its next report as soon as the last one is answered, until `signal` aborts. */
export async function makeLoad(enrolled: readonly Enrolled[], options: LoadOptions): Promise<void> {
  const { now, signal, pause, print } = options;
  const whole = createTally(now());
  let recent = createTally(now());
  const figures = async () => {
    while (!signal.aborted) {
      await pause(figuresEveryMs, signal);
      if (signal.aborted) return;
      print(inWords(recent, now()));
      recent = createTally(now());
    }
  };
  const devices = enrolled.map((device, n) =>
    reportOnAndOn(device, { ...options, seed: options.seed + n }, () => [whole, recent]),
  );
  await Promise.all([figures(), ...devices]);
  print(`In all ${countOf(whole.answered)} reports. ${inWords(whole, now())}`);
}

async function reportOnAndOn(
  { plant, token, isShared }: Enrolled,
  options: LoadOptions,
  tallies: () => Tally[],
): Promise<void> {
  const { signal, pause, now, seed } = options;
  const surroundings = surroundingsOf(plant, seed);
  const address = isShared ? { plant_id: String(plant.id) } : {};
  while (!signal.aborted) {
    const begun = performance.now();
    try {
      const reading = readingAt(surroundings, now(), soilPercent);
      accepted(await exchange(options, createLogRequest({ ...address, ...reading }), token));
      const tookMs = performance.now() - begun;
      for (const { answered } of tallies()) addLatency(answered, tookMs);
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof AnswerError ? String(error.status) : reasonOf(error);
      for (const { failed } of tallies()) failed.set(reason, (failed.get(reason) ?? 0) + 1);
      await pause(afterFailureMs, signal);
    }
  }
}

function createTally(since: number): Tally {
  return { since, answered: new Map(), failed: new Map() };
}

function inWords({ since, answered, failed }: Tally, now: number): string {
  const perSecond = (countOf(answered) * 1_000) / Math.max(1, now - since);
  const ms = (share: number) => `${percentile(answered, share).toFixed(1)} ms`;
  const errors = [...failed].map(([reason, times]) => `${times} (${reason})`).join(', ');
  return `${perSecond.toFixed(0)} requests/s, p50 ${ms(0.5)}, p95 ${ms(0.95)}, errors: ${errors || 'none'}`;
}
