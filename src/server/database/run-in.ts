import { type SQL, sql } from 'drizzle-orm';
import type { Database, Transaction } from './database.ts';

/** A statement in PostgreSQL's own words, prepared once per connection when it runs outside a transaction. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/**
 * Rows as the statement names them. Moments are to be selected as numbers or text: inside a transaction and outside
 * they would arrive as different things.
 */
export type Run = <Row extends Record<string, unknown>>(statement: Statement) => Promise<Row[]>;

export function runOn(db: Database): Run {
  return async <Row extends Record<string, unknown>>(statement: Statement) =>
    (await db.pool.query<Row>(statement)).rows;
}

export function runIn(tx: Pick<Transaction, 'execute'>): Run {
  return async <Row extends Record<string, unknown>>({ text, values }: Statement) =>
    (await tx.execute(withValues(text, values))).rows as Row[];
}

/** The same statement as the query layer takes it: values between the pieces of text. */
function withValues(text: string, values: unknown[]): SQL {
  const chunks = text.split(/\$(\d+)/).map((part, i) => {
    if (i % 2 === 0) return sql.raw(part);
    return sql.param(values[Number(part) - 1]);
  });
  return sql.join(chunks);
}
