import { expect, test } from 'vitest';
import { addLatency, countOf, type Latencies, makeLoad, percentile } from '#simulator/load.ts';
import { plantRecord } from '../support/device/device-rows.ts';
import { testClock } from '../support/server/clock.ts';

test('percentiles are exact to one per cent', () => {
  const latencies: Latencies = new Map();
  for (let ms = 1; ms <= 1_000; ms += 1) addLatency(latencies, ms);
  expect(countOf(latencies)).toBe(1_000);
  for (const share of [0.5, 0.95, 1]) {
    const error = percentile(latencies, share) / (share * 1_000) - 1;
    expect(Math.abs(error), `${share}`).toBeLessThanOrEqual(0.01);
  }
});

test('without values every percentile is 0', () => {
  expect(percentile(new Map(), 0.95)).toBe(0);
});

const plant = {
  ...plantRecord(),
  latest_soil_humidity: null,
  latest_air_humidity: null,
  latest_temperature: null,
  latest_luminance: null,
};

test.each([
  { status: 422, times: 3, why: 'is not repeated: the server would always reject it' },
  { status: 401, times: 1, why: 'is repeated: the token may be renewed' },
  { status: 503, times: 1, why: 'is repeated' },
])('a reading with the response $status $why', async ({ status, times }) => {
  const end = new AbortController();
  const sent: string[] = [];
  const printed: string[] = [];
  const clock = testClock();
  await makeLoad([{ plant, deviceId: 'a', token: 'sprig_a', isShared: false }], {
    seed: 1,
    baseUrl: '',
    now: () => {
      clock.advance(1_000);
      return clock().getTime();
    },
    signal: end.signal,
    print: (line) => printed.push(line),
    pause: () => new Promise((resolve) => setTimeout(resolve)),
    fetch: async (_, init) => {
      sent.push(JSON.parse(String(init?.body)).timestamp);
      if (sent.length === 3) end.abort();
      return new Response('{"message":"No"}', { status });
    },
  });
  expect(new Set(sent).size).toBe(times);
  expect(printed.at(-1)).toContain(`(${status})`);
});
