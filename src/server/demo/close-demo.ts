import { and, eq } from 'drizzle-orm';
import { revokeAccountTokens } from '../accounts/account-tokens.ts';
import { argon2Hasher, unusablePasswordHash } from '../accounts/password.ts';
import { sessions, signInNames, users } from '../accounts/schema.ts';
import type { Database } from '../database/database.ts';
import { transaction } from '../database/transaction.ts';
import { demoAccount } from './seed-demo.ts';

/**
 * If the demo account has its published password, makes its password unusable and ends its sessions. False if nothing
 * was changed.
 */
export async function closeDemo(db: Database): Promise<boolean> {
  const account = await findDemo(db);
  if (!account || !(await argon2Hasher.verify(account.passwordHash, demoAccount.password))) {
    return false;
  }
  const userId = account.id;
  const passwordHash = await unusablePasswordHash(argon2Hasher)();
  return await transaction(db, async (tx) => {
    const { rowCount } = await tx
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, userId), eq(users.passwordHash, account.passwordHash)));
    if (rowCount === 0) return false;
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    await revokeAccountTokens(tx, { userId, kinds: ['reset', 'email'] });
    return true;
  });
}

/** Reads no account if there is none, so that a cluster that has lost a machine can start. */
async function findDemo({ orm }: Database) {
  const [name] = await orm
    .select({ userId: signInNames.userId })
    .from(signInNames)
    .where(and(eq(signInNames.name, demoAccount.email), eq(signInNames.kind, 'email')));
  if (!name) return null;
  const [account] = await orm.select().from(users).where(eq(users.id, name.userId));
  return account ?? null;
}
