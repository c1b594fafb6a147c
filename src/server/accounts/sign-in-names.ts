import { createHash } from 'node:crypto';
import { and, desc, eq, ne, sql } from 'drizzle-orm';
import { emailProblem, normalizeIdentifier } from '#domain/account.ts';
import type { Orm } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { signInNames, users } from './schema.ts';

export type Account = typeof users.$inferSelect;

/**
 * The account with this email, or with this username if no other account has the same one. A username that has the form
 * of an email address is never found: otherwise its owner could see from the response whether that address has an
 * account. Verified accounts have precedence: nobody can block the name of somebody else by registering with it and
 * never verifying the address. Executes two statements for an unknown name too, so that it takes as long as a known one.
 */
export async function findAccount(
  orm: Orm | Transaction,
  identifier: string,
): Promise<Account | null> {
  const name = normalizeIdentifier(identifier);
  const kind = emailProblem(identifier) === undefined ? 'email' : 'username';
  const found = await orm
    .select({ userId: signInNames.userId })
    .from(signInNames)
    .where(and(eq(signInNames.name, name), eq(signInNames.kind, kind)));
  const [id = idOfNobody(name), ...others] = found.map(({ userId }) => userId);
  // The query does not find accounts that were removed, so they do not count as accounts with the same username.
  const [account, namesake] = await orm
    .select()
    .from(users)
    .where(
      others.length > 0
        ? // One parameter, because a statement can have only 65,535.
          sql`${users.id} = ANY (${sql.param([id, ...others])}::uuid[])`
        : eq(users.id, id),
    )
    .orderBy(desc(users.isVerified))
    .limit(2);
  const isShared = namesake !== undefined && namesake.isVerified === account?.isVerified;
  return isShared ? null : (account ?? null);
}

type NewAccount = Pick<
  typeof users.$inferInsert,
  'email' | 'username' | 'passwordHash' | 'isVerified' | 'createdAt'
> & { id: string };

/**
 * Creates the account. If its email address already has an account, returns that one unchanged. Parallel calls for one
 * address get the same account, because each call first locks the row of the address in sign_in_names.
 */
export async function ensureAccount(
  tx: Transaction,
  account: NewAccount,
): Promise<{ account: Account; isNew: boolean }> {
  const { id, email, username } = account;
  const emailKey = normalizeIdentifier(email);
  const known = await accountOfEmail(tx, emailKey, id);
  if (known) return { account: known, isNew: false };
  const usernameKey = normalizeIdentifier(username);
  // If another account had this address before, the id is added, so that the two share no database on a device.
  const deviceKey = (await isFormerEmail(tx, emailKey, id)) ? `${emailKey} ${id}` : null;
  const [made] = await tx
    .insert(users)
    .values({ ...account, emailKey, usernameKey, deviceKey })
    .returning();
  if (!made) throw new Error('the account was not created');
  await tx
    .insert(signInNames)
    .values({ name: usernameKey, kind: 'username', userId: id })
    .onConflictDoNothing();
  return { account: made, isNew: true };
}

/**
 * The account with this email address, or null. Always executes two statements, so that both cases take equally long.
 */
export async function findAccountByEmail(orm: Orm, email: string): Promise<Account | null> {
  const name = normalizeIdentifier(email);
  const [owner] = await orm
    .select({ userId: signInNames.userId })
    .from(signInNames)
    .where(and(eq(signInNames.name, name), eq(signInNames.kind, 'email')));
  return (await accountWith(orm, owner?.userId ?? idOfNobody(name))) ?? null;
}

/** Changes the username and the sign-in name that is derived from it. */
export async function changeUsername(
  tx: Transaction,
  userId: string,
  username: string,
): Promise<void> {
  const account = await lockedAccount(tx, userId);
  if (!account) return;
  const usernameKey = normalizeIdentifier(username);
  await tx.update(users).set({ username, usernameKey }).where(eq(users.id, userId));
  if (usernameKey === account.usernameKey) return;
  await deleteName(tx, { name: account.usernameKey, kind: 'username', userId });
  await tx
    .insert(signInNames)
    .values({ name: usernameKey, kind: 'username', userId })
    .onConflictDoNothing();
}

/**
 * Changes the email address and marks the account as verified. Resolves to the account as it was before, or to null if
 * there is no such account or if the address belongs to another verified account. An unverified account with the
 * address is removed, because nobody has ever signed in to it. Devices keep the name of their database (`deviceKey`).
 */
export async function changeEmail(
  tx: Transaction,
  userId: string,
  email: string,
): Promise<Account | null> {
  const emailKey = normalizeIdentifier(email);
  const account = await lockedAccount(tx, userId);
  if (!account) return null;
  const owner = await accountOfEmail(tx, emailKey, userId);
  if (owner) {
    if (!(await removeUnverified(tx, owner))) return null;
    // Reserves the address, which belongs to no account now.
    await accountOfEmail(tx, emailKey, userId);
  }
  const deviceKey = account.deviceKey ?? account.email;
  await tx
    .update(users)
    .set({ email, emailKey, deviceKey, isVerified: true })
    .where(eq(users.id, userId));
  if (account.deviceKey === null) {
    await tx
      .insert(signInNames)
      .values({ name: account.emailKey, kind: 'former', userId })
      .onConflictDoNothing();
  }
  if (emailKey !== account.emailKey) {
    await deleteName(tx, { name: account.emailKey, kind: 'email', userId });
  }
  return account;
}

/** False if the account has been verified. */
async function removeUnverified(tx: Transaction, { id, usernameKey }: Account): Promise<boolean> {
  const { rowCount } = await tx
    .delete(users)
    .where(and(eq(users.id, id), eq(users.isVerified, false)));
  if (rowCount !== 1) return false;
  await deleteName(tx, { name: usernameKey, kind: 'username', userId: id });
  return true;
}

/** Whether devices still derive the name of another account's database from this address. */
async function isFormerEmail(tx: Transaction, name: string, id: string): Promise<boolean> {
  const rows = await tx
    .select({ userId: signInNames.userId })
    .from(signInNames)
    .where(
      and(eq(signInNames.name, name), eq(signInNames.kind, 'former'), ne(signInNames.userId, id)),
    )
    .limit(1);
  return rows.length > 0;
}

async function deleteName(tx: Transaction, row: typeof signInNames.$inferSelect): Promise<void> {
  await tx
    .delete(signInNames)
    .where(
      and(
        eq(signInNames.name, row.name),
        eq(signInNames.kind, row.kind),
        eq(signInNames.userId, row.userId),
      ),
    );
}

async function lockedAccount(tx: Transaction, id: string): Promise<Account | undefined> {
  const [account] = await tx.select().from(users).where(eq(users.id, id)).for('no key update');
  return account;
}

/** The other account that has this address. If there is none, reserves it for account `id` and resolves to null. */
async function accountOfEmail(tx: Transaction, name: string, id: string): Promise<Account | null> {
  const [owner] = await tx
    .insert(signInNames)
    .values({ name, kind: 'email', userId: id })
    // Changes nothing, but unlike DO NOTHING it locks and returns the existing row.
    .onConflictDoUpdate({
      target: signInNames.name,
      targetWhere: sql`kind = 'email'`,
      set: { userId: sql`${signInNames}.user_id` },
    })
    .returning({ userId: signInNames.userId });
  if (!owner) throw new Error('the email address was neither reserved nor found');
  if (owner.userId === id) return null;
  const account = await accountWith(tx, owner.userId);
  if (account) return account;
  // The account was deleted but its name was not: this account gets the name.
  await tx
    .update(signInNames)
    .set({ userId: id })
    .where(and(eq(signInNames.name, name), eq(signInNames.kind, 'email')));
  return null;
}

async function accountWith(orm: Orm | Transaction, id: string): Promise<Account | undefined> {
  const [account] = await orm.select().from(users).where(eq(users.id, id));
  return account;
}

/**
 * An id that no account can have: ids of accounts begin with their time of creation, and this one begins with a time in
 * the year 10889.
 */
function idOfNobody(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex');
  return `ffffffff-${digits.slice(0, 4)}-8${digits.slice(4, 7)}-8${digits.slice(7, 10)}-${digits.slice(10, 22)}`;
}
