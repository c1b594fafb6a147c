import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../../database/transaction.ts';
import { type ApiError, invalidField, unauthorized } from '../../http/api-error.ts';
import type { AppDeps } from '../../http/app-deps.ts';
import { limitAttempts } from '../../http/rate-limit.ts';
import { users } from '../schema.ts';
import type { Account } from '../sign-in-names.ts';

/** Not a 401, because the app would then sign the person out. */
function wrongPassword(): ApiError {
  return invalidField('password', 'The current password is not correct');
}

interface Given {
  userId: string;
  password: string;
  ip: string;
}

/**
 * The account, if this is its password; otherwise throws a 422 for the field `password`. Wrong passwords are limited as
 * they are at sign-in, so that nobody can guess the password on a device that was left signed in.
 */
export async function checkPassword(
  deps: AppDeps,
  { userId, password, ip }: Given,
): Promise<Account> {
  const attempt = await limitAttempts(deps, 'confirm-password', userId, ip);
  const [account] = await deps.db.orm.select().from(users).where(eq(users.id, userId));
  if (!account) throw unauthorized();
  const matches = await deps.hasher.verify(account.passwordHash, password);
  if (!matches) throw wrongPassword();
  await attempt.uncount();
  return account;
}

/**
 * Locks the account until the transaction ends. Throws the same 422 if its password has changed since checkPassword.
 */
export async function lockChecked(tx: Transaction, account: Account): Promise<void> {
  const unchanged = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, account.id), eq(users.passwordHash, account.passwordHash)))
    .for('no key update');
  if (unchanged.length === 0) throw wrongPassword();
}
