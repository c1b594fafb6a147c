import type { Range } from '../plant/plant.ts';

const padding = 0.1;
const leastHeight = 5;
const leastPadOfEqual = 10;

/**
 * The scale of a trend chart (spec section 9): 10 % beyond the data, or half the threshold span (at least 10) around
 * values that are all equal; never narrower than the thresholds, at least 5 units tall.
 */
export function chartRange(values: readonly (number | null)[], threshold: Range): Range {
  const known = values.filter((value): value is number => Number.isFinite(value));
  const reach = [threshold.min, threshold.max, ...padded(known, threshold)];
  return atLeastTall(Math.min(...reach), Math.max(...reach));
}

function padded(values: readonly number[], threshold: Range): number[] {
  if (values.length === 0) return [];
  const min = Math.min(...values);
  const max = Math.max(...values);
  const pad =
    min === max
      ? Math.max(leastPadOfEqual, Math.abs(threshold.max - threshold.min) / 2)
      : (max - min) * padding;
  return [min - pad, max + pad];
}

function atLeastTall(min: number, max: number): Range {
  const missing = Math.max(0, leastHeight - (max - min));
  return { min: min - missing / 2, max: max + missing / 2 };
}
