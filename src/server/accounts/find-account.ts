import { desc, eq, or } from 'drizzle-orm';
import { normalizeIdentifier } from '#domain/account.ts';
import type { Orm } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { users } from './schema.ts';

export type Account = typeof users.$inferSelect;

/** The account of an e-mail, or of a username that only one account has. */
export async function findAccount(
  orm: Orm | Transaction,
  identifier: string,
): Promise<Account | null> {
  const key = normalizeIdentifier(identifier);
  const [first, second] = await orm
    .select()
    .from(users)
    .where(or(eq(users.emailKey, key), eq(users.usernameKey, key)))
    .orderBy(desc(eq(users.emailKey, key)))
    .limit(2);
  if (!first) return null;
  return first.emailKey === key || !second ? first : null;
}
