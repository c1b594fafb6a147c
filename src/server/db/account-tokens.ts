import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Transaction } from './database.ts';
import { accountTokens } from './schema.ts';

type TokenKind = (typeof accountTokens.$inferSelect)['kind'];

/** A new token for a link in a mail; kept as its hash alone. The account's ended ones are cleared away. */
export async function issueAccountToken(
  tx: Transaction,
  options: { userId: string; kind: TokenKind; now: Date; lifeMs: number },
): Promise<string> {
  const { userId, kind, now, lifeMs } = options;
  const token = randomBytes(32).toString('base64url');
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
  const [redeemed] = await tx
    .delete(accountTokens)
    .where(
      and(
        eq(accountTokens.tokenHash, hashOf(options.token)),
        eq(accountTokens.kind, options.kind),
        gt(accountTokens.expiresAt, options.now),
      ),
    )
    .returning({ userId: accountTokens.userId });
  return redeemed?.userId ?? null;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
