import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { headers } from '#contract/headers.ts';
import type { Database } from '../database/database.ts';
import { type Transaction, transactionWithEnd } from '../database/transaction.ts';
import { ApiError, invalid } from './api-error.ts';
import type { Clock } from './app-deps.ts';
import { idempotencyKeys } from './schema.ts';

/** The response to a successful write. Stored unchanged, and sent again for a request with the same key. */
export interface WriteResponse {
  status: number;
  json: string;
  etag?: string | null;
}

/** A write that has been executed in a transaction. */
export interface Write extends WriteResponse {
  /** Executed last in the transaction: other transactions wait for its lock, which is held until the commit. */
  lastStatement?: pg.QueryConfig | null;
}

type OnceResponse = WriteResponse & { replayed: boolean };

const maxKeyLength = 200;

/** Corrects the body of a stored response before it is sent again. */
type Replay = (tx: Transaction, json: string) => Promise<string>;

/**
 * Executes `effect`. With an Idempotency-Key it takes effect at most once: a repeated request gets the stored response,
 * corrected by `replay`. Throws a 422 if the key was used for another request.
 */
export async function respondOnce(
  deps: { db: Database; clock: Clock },
  request: FastifyRequest,
  reply: FastifyReply,
  effect: (tx: Transaction) => Promise<Write>,
  replay: Replay = async (_, json) => json,
): Promise<FastifyReply> {
  return sendResponse(reply, await runOnce(deps, request, effect, replay));
}

/** Executes a write that is idempotent by itself, so that it needs no key. */
export async function respond(
  deps: { db: Database },
  reply: FastifyReply,
  effect: (tx: Transaction) => Promise<Write>,
): Promise<FastifyReply> {
  const done = await transactionWithEnd(deps.db, async (tx) => {
    const { lastStatement, ...response } = await effect(tx);
    return { result: response, end: lastStatement ? [lastStatement] : [] };
  });
  return sendResponse(reply, done);
}

/**
 * Effect, key and response commit in one transaction. A duplicate that arrives in parallel waits for the first one on
 * the key's row lock, then reads its response. If the effect throws, everything is rolled back and the key stays free.
 */
async function runOnce(
  deps: { db: Database; clock: Clock },
  request: FastifyRequest,
  effect: (tx: Transaction) => Promise<Write>,
  replay: Replay,
): Promise<OnceResponse> {
  const key = storedKeyOf(request);
  return await transactionWithEnd<OnceResponse>(deps.db, async (tx) => {
    const { userId } = request.session;
    const requestKey = key === null ? null : { userId, key, fingerprint: fingerprintOf(request) };
    if (requestKey && !(await reserveKey(tx, requestKey, deps.clock()))) {
      const stored = await storedResponse(tx, requestKey);
      return { result: { ...stored, json: await replay(tx, stored.json) }, end: [] };
    }
    const { lastStatement, ...response } = await effect(tx);
    const end = [requestKey && storingStatement(requestKey, response), lastStatement];
    return {
      result: { ...response, replayed: false },
      end: end.filter((statement) => statement != null),
    };
  });
}

interface RequestKey {
  userId: string;
  key: string;
  fingerprint: string;
}

/** False if the key is used already. */
async function reserveKey(
  tx: Transaction,
  { userId, key, fingerprint }: RequestKey,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tx.$client.query({
    name: 'reserve-key',
    text: `INSERT INTO idempotency_keys (user_id, key, fingerprint, created_at) VALUES ($1, $2, $3, $4)
      ON CONFLICT DO NOTHING`,
    values: [userId, key, fingerprint, now],
  });
  return rowCount === 1;
}

function storingStatement(
  { userId, key }: RequestKey,
  { status, json, etag = null }: WriteResponse,
): pg.QueryConfig {
  return {
    name: 'store-response',
    text: 'UPDATE idempotency_keys SET status = $3, body = $4, etag = $5 WHERE user_id = $1 AND key = $2',
    values: [userId, key, status, json, etag],
  };
}

export function sendResponse(
  reply: FastifyReply,
  response: WriteResponse & { replayed?: boolean },
): FastifyReply {
  if (response.replayed) reply.header(headers.idempotentReplayed, 'true');
  if (response.etag) reply.header(headers.etag, response.etag);
  return reply.status(response.status).type('application/json; charset=utf-8').send(response.json);
}

async function storedResponse(tx: Transaction, { userId, key, fingerprint }: RequestKey) {
  const [stored] = await tx
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)));
  if (!stored || stored.fingerprint !== fingerprint) {
    throw new ApiError(
      422,
      'idempotency_mismatch',
      'This Idempotency-Key was used for another request',
    );
  }
  return {
    status: stored.status ?? 200,
    json: stored.body ?? '',
    etag: stored.etag,
    replayed: true,
  };
}

/** The Idempotency-Key without quotes; null if the header is missing. Throws a 422 for a wrong length. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const value = request.headers[headers.idempotencyKey];
  if (typeof value !== 'string') return null;
  const key = value.replace(/^"(.*)"$/, '$1');
  if (key === '' || key.length > maxKeyLength) {
    throw invalid(['header', headers.idempotencyKey], `must have 1 to ${maxKeyLength} characters`);
  }
  return key;
}

/** The key under which the response is stored. Each device has keys of its own, apart from those of its account. */
function storedKeyOf(request: FastifyRequest): string | null {
  const key = idempotencyKeyOf(request);
  const { deviceId } = request.session;
  // No header contains a line break, so no key of a person equals one of a device.
  return key === null || deviceId === null ? key : `${deviceId}\n${key}`;
}

/** A hash of method, URL with query, and body. Headers are left out because a retry may send different ones. */
function fingerprintOf(request: FastifyRequest): string {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(request.rawBody)
    .digest('base64');
}
