import { desc, eq, or } from 'drizzle-orm';
import { normalizeIdentifier } from '#domain/account.ts';
import type { Orm } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { users } from './schema.ts';

export type Account = typeof users.$inferSelect;

/** The account with this email, or with this username if no other account has the same one. */
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

/**
 * Locks the account's row until the transaction ends. FOR NO KEY UPDATE, because FOR UPDATE would also block every
 * insert that references the account, such as a new reading.
 */
export async function lockAccount(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}
