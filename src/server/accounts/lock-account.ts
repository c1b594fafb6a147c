import { eq } from 'drizzle-orm';
import type { Transaction } from '../database/transaction.ts';
import { users } from './schema.ts';

/**
 * Locks the account's row until the transaction ends. FOR NO KEY UPDATE, because FOR UPDATE would also block every
 * insert that references the account, such as a new reading.
 */
export async function lockAccount(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}
