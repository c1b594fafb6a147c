import { and, count, desc, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import type { DeviceToken, NewDeviceToken } from '#contract/device-tokens.ts';
import { holdAccount } from '../accounts/lock-account.ts';
import { randomToken, tokenHashOf } from '../accounts/random-token.ts';
import { deviceTokens } from '../accounts/schema.ts';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';

/** How old the known last use of a token may be before it is written anew. */
const lastUsePrecisionMs = 5 * 60_000;

const shape = /^sprig_[\w-]{43}$/;

/** Whether a text is written like a device's token; a person's has dots. */
export function looksLikeDeviceToken(text: string): boolean {
  return shape.test(text);
}

/** A new token, or null when the account has `limit` already. The secret is in this answer alone. */
export async function issueDeviceToken(
  tx: Transaction,
  options: { userId: string; deviceId: string; now: Date; limit: number },
): Promise<NewDeviceToken | null> {
  const { userId, deviceId, now, limit } = options;
  // Two at the same time would both count one too few.
  await holdAccount(tx, userId);
  const [held] = await tx
    .select({ tokens: count() })
    .from(deviceTokens)
    .where(eq(deviceTokens.userId, userId));
  if ((held?.tokens ?? 0) >= limit) return null;
  const token = `sprig_${randomToken()}`;
  const row = { userId, id: uuidv7(), deviceId, createdAt: now, lastUsedAt: null };
  await tx.insert(deviceTokens).values({ ...row, tokenHash: tokenHashOf(token) });
  return { ...onWire(row), token };
}

/** The account's tokens without their secrets, newest first. */
export async function listDeviceTokens(
  { orm }: Pick<Database, 'orm'>,
  userId: string,
): Promise<DeviceToken[]> {
  const rows = await orm
    .select()
    .from(deviceTokens)
    .where(eq(deviceTokens.userId, userId))
    .orderBy(desc(deviceTokens.createdAt), desc(deviceTokens.id));
  return rows.map(onWire);
}

/** False when the account has no such token. */
export async function revokeDeviceToken(
  tx: Transaction,
  userId: string,
  id: string,
): Promise<boolean> {
  const revoked = await tx
    .delete(deviceTokens)
    .where(and(eq(deviceTokens.userId, userId), eq(deviceTokens.id, id)))
    .returning({ id: deviceTokens.id });
  return revoked.length > 0;
}

/** Whose token it is and for which device; null when it is unknown or revoked. Notes its use. */
export async function redeemDeviceToken(
  { pool }: Pick<Database, 'pool'>,
  token: string,
  now: Date,
): Promise<{ userId: string; deviceId: string } | null> {
  const { rows } = await pool.query<Redeemed>({
    name: 'device-token',
    text: `SELECT user_id AS "userId", id, device_id AS "deviceId", last_used_at AS "lastUsedAt"
      FROM device_tokens WHERE token_hash = $1`,
    values: [tokenHashOf(token)],
  });
  const [found] = rows;
  if (!found) return null;
  const known = new Date(now.getTime() - lastUsePrecisionMs);
  if (found.lastUsedAt === null || found.lastUsedAt <= known) {
    await pool.query({
      name: 'device-token-used',
      // Of many requests at once the first writes.
      text: `UPDATE device_tokens SET last_used_at = $3
        WHERE user_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at <= $4)`,
      values: [found.userId, found.id, now, known],
    });
  }
  return found;
}

interface Redeemed {
  userId: string;
  id: string;
  deviceId: string;
  lastUsedAt: Date | null;
}

function onWire(row: Omit<typeof deviceTokens.$inferSelect, 'tokenHash' | 'userId'>): DeviceToken {
  return {
    id: row.id,
    device_id: row.deviceId,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}
