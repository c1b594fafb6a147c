import { timestamp } from 'drizzle-orm/pg-core';

/** A timestamp column. Its values come from the injected clock or from requests, never from the database's clock. */
export function moment(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' });
}

/** SQL: a timestamp in JavaScript's ISO format, in UTC with milliseconds. */
export function isoText(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** SQL: a timestamp as milliseconds since 1970, as in JavaScript. */
export function msOf(column: string): string {
  return `(extract(epoch FROM ${column}) * 1000)::float8`;
}
