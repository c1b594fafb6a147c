import { eq } from 'drizzle-orm';
import { users } from './account-schema.ts';
import type { Transaction } from './database.ts';

/** Lets nobody else hold the account until the transaction ends. */
export async function holdAccount(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}
