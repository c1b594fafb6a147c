import { timestamp } from 'drizzle-orm/pg-core';

/** Times come from the injected clock, never from the database's. */
export function moment(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'date' });
}
