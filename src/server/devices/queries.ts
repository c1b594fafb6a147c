import { and, count, desc, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import type { DeviceToken, NewDeviceToken } from '#contract/device-tokens.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import { accountIn, hashToken, newToken } from '../accounts/token.ts';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../http/request-input.ts';
import { deviceTokens } from './schema.ts';

const prefix = 'sprig_';

/** last_used_at is updated at most this often, to save a write per request. */
const lastUsePrecisionMs = 5 * 60_000;

/** Whether a bearer token has the format of a device token. A person's token is a JWT, which contains dots. */
export function looksLikeDeviceToken(token: string): boolean {
  return /^sprig_[\w-]{43}$/.test(token);
}

/** Issues a token, or returns null if the account already has `limit` of them. The secret cannot be read again. */
export async function issueDeviceToken(
  tx: Transaction,
  options: { userId: string; deviceId: string; now: Date; limit: number },
): Promise<NewDeviceToken | null> {
  const { userId, deviceId, now, limit } = options;
  // Without the lock, parallel requests could each stay below the limit and exceed it together.
  await lockAccount(tx, userId);
  const [existing] = await tx
    .select({ tokens: count() })
    .from(deviceTokens)
    .where(eq(deviceTokens.userId, userId));
  if ((existing?.tokens ?? 0) >= limit) return null;
  const token = `${prefix}${newToken(userId)}`;
  const row = { userId, id: uuidv7(), deviceId, createdAt: now, lastUsedAt: null };
  await tx.insert(deviceTokens).values({ ...row, tokenHash: hashToken(token) });
  return { ...toWire(row), token };
}

/** The account's tokens, without secrets, newest first. */
export async function listDeviceTokens(
  { orm }: Pick<Database, 'orm'>,
  userId: string,
): Promise<DeviceToken[]> {
  const rows = await orm
    .select()
    .from(deviceTokens)
    .where(eq(deviceTokens.userId, userId))
    .orderBy(desc(deviceTokens.createdAt), desc(deviceTokens.id));
  return rows.map(toWire);
}

/** False if the account has no such token. */
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

/** Account and device of a token, or null if it is unknown or revoked. Records that it was used. */
export async function redeemDeviceToken(
  { pool }: Pick<Database, 'pool'>,
  token: string,
  now: Date,
): Promise<{ userId: string; deviceId: string } | null> {
  const found = await findDeviceToken(pool, token);
  if (!found) return null;
  const outdated = new Date(now.getTime() - lastUsePrecisionMs);
  if (found.lastUsedAt === null || found.lastUsedAt <= outdated) {
    await pool.query({
      name: 'device-token-used',
      // Of several parallel requests only the first one writes.
      text: `UPDATE device_tokens SET last_used_at = $3
        WHERE user_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at <= $4)`,
      values: [found.userId, found.id, now, outdated],
    });
  }
  return found;
}

/**
 * Account ids by the hash of a token of version 0.1, which does not contain its account's id. Cached, because a query
 * without the account id needs every machine of a cluster.
 */
const knownOwners = new Map<string, string>();
const maxKnownOwners = 10_000;

async function findDeviceToken(pool: Database['pool'], token: string): Promise<Redeemed | null> {
  const hash = hashToken(token);
  const owner = knownOwners.get(hash) ?? accountIn(token.slice(prefix.length));
  const found = owner && (await rowOf(pool, 'device-token-of-account', hash, owner));
  if (found) return found;
  const row = await rowOf(pool, 'device-token', hash);
  if (row && knownOwners.size < maxKnownOwners) knownOwners.set(hash, row.userId);
  return row;
}

async function rowOf(pool: Database['pool'], name: string, hash: string, userId?: string) {
  const { rows } = await pool.query<Redeemed>({
    name,
    text: `SELECT user_id AS "userId", id, device_id AS "deviceId", last_used_at AS "lastUsedAt"
      FROM device_tokens WHERE ${userId ? 'user_id = $2 AND ' : ''}token_hash = $1`,
    values: userId ? [hash, userId] : [hash],
  });
  return rows[0] ?? null;
}

/** The device_id of the account's plant: null if it has none, undefined if there is no such plant. */
export async function deviceOfPlant(
  { pool }: Pick<Database, 'pool'>,
  userId: string,
  plantId: string,
): Promise<string | null | undefined> {
  if (!isUuid(plantId)) return undefined;
  const { rows } = await pool.query<{ device_id: string | null }>({
    name: 'device-of-plant',
    text: 'SELECT device_id FROM plants WHERE user_id = $1 AND id = $2',
    values: [userId, plantId],
  });
  return rows[0]?.device_id;
}

interface Redeemed {
  userId: string;
  id: string;
  deviceId: string;
  lastUsedAt: Date | null;
}

function toWire(row: Omit<typeof deviceTokens.$inferSelect, 'tokenHash' | 'userId'>): DeviceToken {
  return {
    id: row.id,
    device_id: row.deviceId,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}
