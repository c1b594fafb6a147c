/** How often which waiting time came up, to 1 %: as small after hours as after seconds. */
export type Latencies = Map<number, number>;

const step = 1.01;
const smallestMs = 0.01;

export function addLatency(latencies: Latencies, ms: number): void {
  const bucket = Math.round(Math.log(Math.max(ms, smallestMs)) / Math.log(step));
  latencies.set(bucket, (latencies.get(bucket) ?? 0) + 1);
}

/** ms that `share` of all did not exceed; 0 when there are none. */
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
