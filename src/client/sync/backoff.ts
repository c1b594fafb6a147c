const firstMs = 1_000;
const longestMs = 60_000;

/**
 * How long to wait after the nth failure in a row: jittered up to 1 s, 2 s, 4 s … 60 s. At least a quarter of that, so
 * that even the luckiest draw makes fewer than ten tries in the first minute.
 */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return Math.round(ceiling * (0.25 + 0.75 * random()));
}
