/** A histogram of response times, exact to 1 %. Its size does not depend on how long it runs. */
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
