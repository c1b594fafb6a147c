import { expect, test } from 'vitest';
import { addLatency, countOf, type Latencies, percentile } from '#simulator/load.ts';

test('percentiles are exact to one per cent', () => {
  const latencies: Latencies = new Map();
  for (let ms = 1; ms <= 1_000; ms += 1) addLatency(latencies, ms);
  expect(countOf(latencies)).toBe(1_000);
  expect(percentile(latencies, 0.5) / 500).toBeCloseTo(1, 1);
  expect(percentile(latencies, 0.95) / 950).toBeCloseTo(1, 1);
  expect(percentile(latencies, 1) / 1_000).toBeCloseTo(1, 1);
});

test('without values every percentile is 0', () => {
  expect(percentile(new Map(), 0.95)).toBe(0);
});
