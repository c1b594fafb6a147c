import { and, eq, gt, lte } from 'drizzle-orm';
import type { Transaction } from '../database/transaction.ts';
import { holdAccount } from './lock-account.ts';
import { randomToken, tokenHashOf } from './random-token.ts';
import { accountTokens } from './schema.ts';

type TokenKind = (typeof accountTokens.$inferSelect)['kind'];

/** A new token for a link in a mail; kept as its hash alone. The account's ended ones are cleared away. */
export async function issueAccountToken(
  tx: Transaction,
  options: { userId: string; kind: TokenKind; now: Date; lifeMs: number },
): Promise<string> {
  const { userId, kind, now, lifeMs } = options;
  const token = randomToken();
  await holdAccount(tx, userId);
  await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), lte(accountTokens.expiresAt, now)));
  await tx.insert(accountTokens).values({
    userId,
    kind,
    tokenHash: tokenHashOf(token),
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifeMs),
  });
  return token;
}

/** The account that a token was issued for, once; null when it is unknown, ended or used. */
export async function redeemAccountToken(
  tx: Transaction,
  options: { token: string; kind: TokenKind; now: Date },
): Promise<string | null> {
  const isRedeemable = and(
    eq(accountTokens.tokenHash, tokenHashOf(options.token)),
    eq(accountTokens.kind, options.kind),
    gt(accountTokens.expiresAt, options.now),
  );
  const [found] = await tx
    .select({ userId: accountTokens.userId })
    .from(accountTokens)
    .where(isRedeemable);
  if (!found) return null;
  // Account before tokens, always: two that spent different tokens of one account would wait for each other.
  await holdAccount(tx, found.userId);
  const [redeemed] = await tx
    .delete(accountTokens)
    .where(isRedeemable)
    .returning({ userId: accountTokens.userId });
  return redeemed?.userId ?? null;
}

/** Makes every link of a kind that an account was sent useless. */
export async function revokeAccountTokens(
  tx: Transaction,
  { userId, kind }: { userId: string; kind: TokenKind },
): Promise<void> {
  await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), eq(accountTokens.kind, kind)));
}
