import { eq } from 'drizzle-orm';
import type { Transaction } from '../database/transaction.ts';
import { users } from './schema.ts';

/**
 * Locks the account's row until the transaction ends. FOR NO KEY UPDATE, because FOR UPDATE would also block every
 * insert that references the account, such as a new reading.
 *
 * Call it before locking a plant. A change of the email address holds this lock while it waits for the transactions that
 * have inserted a row that references the account. One of those may wait for the plant.
 */
export async function lockAccount(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}
