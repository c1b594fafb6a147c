import { type Measure, measures } from '#domain/reading/reading.ts';

const parts = ['min', 'max', 'sum', 'count'] as const;

/** The columns of a roll-up, four for each measure. */
export const summaryColumns = measures.flatMap((measure) =>
  parts.map((part) => `${measure}_${part}`),
);

/** SQL: these columns for a group of readings. */
export const fromReadings = summariesBy((measure, part) => `${part}(${measure})`);

/** SQL: these columns for a group of roll-ups. */
export const fromRollups = summariesBy((measure, part) =>
  part === 'count' ? `sum(${measure}_count)::integer` : `${part}(${measure}_${part})`,
);

/** SQL: a single reading as if it were a roll-up. */
export function asRollup(): string {
  return summariesBy((measure, part) =>
    part === 'count' ? `(${measure} IS NOT NULL)::integer` : `${measure}`,
  );
}

function summariesBy(expression: (measure: Measure, part: (typeof parts)[number]) => string) {
  return measures
    .flatMap((measure) => parts.map((part) => `${expression(measure, part)} AS ${measure}_${part}`))
    .join(', ');
}

/** SQL: the start of the hour of a time, UTC. */
export function hourOf(moment: string): string {
  return `date_bin('1 hour', ${moment}, timestamptz '1970-01-01 00:00+00')`;
}

/**
 * SQL: the start of the day of a time, in UTC+7. Its end is 24 hours later, not `interval '1 day'`: PostgreSQL adds that
 * in the session's time zone, where a day may have 23 or 25 hours.
 */
export function dayOf(moment: string): string {
  return `date_bin('1 day', ${moment}, timestamptz '1970-01-01 00:00+07')`;
}
