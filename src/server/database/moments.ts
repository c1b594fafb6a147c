import { timestamp } from 'drizzle-orm/pg-core';

/** A column for a moment. Its values come from the injected clock, never from the database's own. */
export function moment(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' });
}

/** SQL: a moment as ISO 8601 UTC with milliseconds, as JavaScript writes it. */
export function isoText(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** SQL: a moment as milliseconds since 1970, as JavaScript counts. */
export function msOf(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::float8`;
}
