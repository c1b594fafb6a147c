import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Transaction } from '../database/transaction.ts';
import { lockAccount } from './queries.ts';
import { accountTokens } from './schema.ts';

type TokenKind = (typeof accountTokens.$inferSelect)['kind'];

/** A random secret of 256 bits in 43 characters. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Only hashes of tokens are stored, so that reading the database gives no access. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Issues a token for a link in an email and deletes the account's expired ones. */
export async function issueAccountToken(
  tx: Transaction,
  options: { userId: string; kind: TokenKind; now: Date; lifetimeMs: number },
): Promise<string> {
  const { userId, kind, now, lifetimeMs } = options;
  const token = randomToken();
  await lockAccount(tx, userId);
  await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), lte(accountTokens.expiresAt, now)));
  await tx.insert(accountTokens).values({
    userId,
    kind,
    tokenHash: hashToken(token),
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
  });
  return token;
}

/** Uses a token up and returns its account's id; null if the token is unknown, expired or already used. */
export async function redeemAccountToken(
  tx: Transaction,
  options: { token: string; kind: TokenKind; now: Date },
): Promise<string | null> {
  const isRedeemable = and(
    eq(accountTokens.tokenHash, hashToken(options.token)),
    eq(accountTokens.kind, options.kind),
    gt(accountTokens.expiresAt, options.now),
  );
  const [found] = await tx
    .select({ userId: accountTokens.userId })
    .from(accountTokens)
    .where(isRedeemable);
  if (!found) return null;
  // Always lock the account before its tokens: otherwise two redeemed tokens of one account could deadlock.
  await lockAccount(tx, found.userId);
  const [redeemed] = await tx
    .delete(accountTokens)
    .where(isRedeemable)
    .returning({ userId: accountTokens.userId });
  return redeemed?.userId ?? null;
}

/** Invalidates every link of this kind that the account was sent. */
export async function revokeAccountTokens(
  tx: Transaction,
  { userId, kind }: { userId: string; kind: TokenKind },
): Promise<void> {
  await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), eq(accountTokens.kind, kind)));
}
