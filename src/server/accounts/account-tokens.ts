import { and, eq, gt, inArray, lte } from 'drizzle-orm';
import type { Orm } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { lockAccount } from './lock-account.ts';
import { accountTokens } from './schema.ts';
import { accountIn, hashToken, newToken } from './token.ts';

type TokenKind = (typeof accountTokens.$inferSelect)['kind'];

interface NewToken {
  userId: string;
  kind: TokenKind;
  /** Only for the kind `email`: the new address that the link confirms. */
  email?: string;
  now: Date;
  lifetimeMs: number;
}

/** Issues a token for a link in an email and deletes the account's expired ones. */
export async function issueAccountToken(tx: Transaction, options: NewToken): Promise<string> {
  const { userId, kind, email = null, now, lifetimeMs } = options;
  const token = newToken(userId);
  await lockAccount(tx, userId);
  await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), lte(accountTokens.expiresAt, now)));
  await tx.insert(accountTokens).values({
    userId,
    kind,
    email,
    tokenHash: hashToken(token),
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  });
  return token;
}

interface GivenToken {
  token: string;
  kind: TokenKind;
  now: Date;
}

/**
 * The account of a token that could be redeemed now, or null. Call it before the transaction that redeems the token. A
 * token of version 0.1 is searched for among all accounts. On a cluster, a transaction that writes must not contain
 * such a search.
 */
export async function findTokenOwner(orm: Orm, given: GivenToken): Promise<string | null> {
  const { token } = given;
  const named = accountIn(token);
  const owner = named && (await ownerOf(orm, given, named));
  return owner ?? (await ownerOf(orm, given));
}

async function ownerOf(orm: Orm, given: GivenToken, userId?: string): Promise<string | null> {
  const [found] = await orm
    .select({ userId: accountTokens.userId })
    .from(accountTokens)
    .where(and(isRedeemable(given), userId ? eq(accountTokens.userId, userId) : undefined));
  return found?.userId ?? null;
}

/** Redeems the account's token. Null if it is unknown, used, revoked or expired. */
export async function redeemAccountToken(
  tx: Transaction,
  userId: string,
  given: GivenToken,
): Promise<{ email: string | null } | null> {
  // Always lock the account before its tokens: otherwise parallel redemptions could deadlock.
  await lockAccount(tx, userId);
  const [redeemed] = await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), isRedeemable(given)))
    .returning({ email: accountTokens.email });
  return redeemed ?? null;
}

function isRedeemable({ token, kind, now }: GivenToken) {
  return and(
    eq(accountTokens.tokenHash, hashToken(token)),
    eq(accountTokens.kind, kind),
    gt(accountTokens.expiresAt, now),
  );
}

/**
 * Invalidates every link of these kinds that the account was sent. A new password revokes links for a new email
 * address, too, because somebody who knew the old password may have requested them.
 */
export async function revokeAccountTokens(
  tx: Transaction,
  { userId, kinds }: { userId: string; kinds: TokenKind[] },
): Promise<void> {
  await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), inArray(accountTokens.kind, kinds)));
}
