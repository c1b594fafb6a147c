import type { Row } from './results.ts';
import { median } from './rounds.ts';

/** What a row is compared with: its name, and a value in ms for each round. */
export interface Samples {
  name: string;
  values: number[];
}

/** A row with both medians. The ratio is the median of the ratios of the rounds. */
export function timesRow(what: string, values: number[], other: Samples): Row {
  const ratios = values.map((ms, round) => ms / (other.values[round] ?? Number.NaN));
  return {
    what,
    figure: inMs(median(values)),
    against: `${other.name}: ${inMs(median(other.values))}`,
    ratio: `×${median(ratios).toFixed(2)}`,
  };
}

export function inMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
