import { eq } from 'drizzle-orm';
import type { Transaction } from '../database/transaction.ts';
import { users } from './schema.ts';

/** Lets nobody else hold the account until the transaction ends. */
export async function holdAccount(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}
