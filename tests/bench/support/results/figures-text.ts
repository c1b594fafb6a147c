import type { Row } from './results.ts';
import { type Figures, ratio } from './rounds.ts';

/** A row that compares two figures; the ratio is of CPU time and, in brackets, of wall time. */
export function rowOf(what: string, one: Figures, against: string, other: Figures): Row {
  const { cpu, wall } = ratio(one, other);
  return {
    what,
    figure: textOf(one),
    against: `${against}: ${textOf(other)}`,
    ratio: `${times(cpu)} (${times(wall)})`,
  };
}

function textOf({ rate, appUs, dbUs }: Figures): string {
  return `${Math.round(rate)}/s, ${Math.round(appUs)} + ${Math.round(dbUs)} µs`;
}

function times(value: number): string {
  return `×${value.toFixed(value < 10 ? 2 : 1)}`;
}

export function inMiB(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
