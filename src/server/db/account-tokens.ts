import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import { accountTokens, users } from './account-schema.ts';
import type { Transaction } from './database.ts';

type TokenKind = (typeof accountTokens.$inferSelect)['kind'];

/** A new token for a link in a mail; kept as its hash alone. The account's ended ones are cleared away. */
export async function issueAccountToken(
  tx: Transaction,
  options: { userId: string; kind: TokenKind; now: Date; lifeMs: number },
): Promise<string> {
  const { userId, kind, now, lifeMs } = options;
  const token = randomBytes(32).toString('base64url');
  await takeTurn(tx, userId);
  await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), lte(accountTokens.expiresAt, now)));
  await tx.insert(accountTokens).values({
    userId,
    kind,
    tokenHash: hashOf(token),
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
    eq(accountTokens.tokenHash, hashOf(options.token)),
    eq(accountTokens.kind, options.kind),
    gt(accountTokens.expiresAt, options.now),
  );
  const [found] = await tx
    .select({ userId: accountTokens.userId })
    .from(accountTokens)
    .where(isRedeemable);
  if (!found) return null;
  await takeTurn(tx, found.userId);
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

/** Account before tokens, always: two that spent different tokens of one account would wait for each other. */
async function takeTurn(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
