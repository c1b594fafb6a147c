import { expect, test } from 'vitest';
import { retryDelayMs } from '#client/sync/live/open-live.ts';
import type { StreamEnd } from '#client/sync/live/read-stream.ts';
import { runSeed, seeded } from '../../../support/seeded.ts';

const ended: StreamEnd = { type: 'ended' };
const highest = () => 1;
const lowest = () => 0;

function delaysOf(end: StreamEnd, clients: number): number[] {
  const { below } = seeded(runSeed());
  const random = () => below(2 ** 32) / 2 ** 32;
  return Array.from({ length: clients }, () => retryDelayMs(end, 1, random) ?? Number.NaN);
}

test.each<[string, StreamEnd, number]>([
  ['without a Retry-After', ended, 0],
  ['with a Retry-After of 2 s', { type: 'unavailable', retryAfterMs: 2_000 }, 2_000],
])('when a server stops %s, its 1,000 clients reconnect spread over 10 s', (_, end, from) => {
  const seconds = Array.from({ length: 10 }, () => 0);
  for (const delay of delaysOf(end, 1_000)) {
    const second = Math.floor((delay - from) / 1_000);
    seconds[second] = (seconds[second] ?? 0) + 1;
  }
  expect(seconds).toHaveLength(10);
  expect(Math.max(...seconds)).toBeLessThan(150);
  expect(Math.min(...seconds)).toBeGreaterThan(50);
});

test.each([
  [1, 10_000],
  [2, 20_000],
  [3, 40_000],
  [4, 60_000],
  [500, 60_000],
  [5_000, 60_000],
])('after failure %d in a row the wait is at most %d ms', (failures, longest) => {
  for (const type of ['ended', 'unreachable', 'silent'] as const) {
    expect(retryDelayMs({ type }, failures, highest)).toBe(longest);
  }
  expect(retryDelayMs({ type: 'unavailable', retryAfterMs: null }, failures, highest)).toBe(
    longest,
  );
});

test('even with the shortest random waits there are fewer than ten attempts in a minute', () => {
  let [waited, tries] = [0, 1];
  for (let failures = 1; waited < 60_000; failures += 1) {
    waited += retryDelayMs(ended, failures, lowest) ?? 0;
    tries += 1;
  }
  expect(tries).toBeLessThan(10);
});

test('behind a proxy that buffers the stream, the wait is at least 5 minutes; without support for streams, or after a 401, there is no retry', () => {
  expect(retryDelayMs({ type: 'buffered' }, 1, lowest)).toBe(300_000);
  expect(retryDelayMs({ type: 'unsupported' }, 1, lowest)).toBeNull();
  expect(retryDelayMs({ type: 'unauthorized' }, 1, lowest)).toBeNull();
});
