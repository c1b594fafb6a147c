import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';
import type { Database } from '../database/database.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import { ApiError, invalid } from './api-error.ts';
import type { Clock } from './app-deps.ts';
import { idempotencyKeys } from './schema.ts';

/** The response to a successful write. Stored as it is, and sent again when its key is repeated. */
export interface WriteResponse {
  status: number;
  json: string;
  etag?: string | null;
}

const maxKeyLength = 200;

/** Runs `effect` at most once per Idempotency-Key; a repeated key gets the stored response of the first request. */
export async function respondOnce(
  deps: { db: Database; clock: Clock },
  request: FastifyRequest,
  reply: FastifyReply,
  effect: (tx: Transaction) => Promise<WriteResponse>,
): Promise<FastifyReply> {
  return sendResponse(reply, await runOnce(deps, request, effect));
}

/**
 * Effect, key and response commit in one transaction. A duplicate that arrives in parallel waits for the first one on
 * the key's row lock, then reads its response. If the effect throws, everything is rolled back and the key stays free.
 */
async function runOnce(
  deps: { db: Database; clock: Clock },
  request: FastifyRequest,
  effect: (tx: Transaction) => Promise<WriteResponse>,
): Promise<WriteResponse & { replayed: boolean }> {
  const key = keyOf(request);
  return await transaction(deps.db, async (tx) => {
    if (key === null) return { ...(await effect(tx)), replayed: false };
    const fingerprint = fingerprintOf(request);
    const { userId } = request.session;
    const claimed = await tx
      .insert(idempotencyKeys)
      .values({ userId, key, fingerprint, createdAt: deps.clock() })
      .onConflictDoNothing()
      .returning({ key: idempotencyKeys.key });
    if (claimed.length === 0) return await storedResponse(tx, userId, key, fingerprint);
    const response = await effect(tx);
    await tx
      .update(idempotencyKeys)
      .set({
        status: response.status,
        body: response.json,
        etag: response.etag ?? null,
      })
      .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)));
    return { ...response, replayed: false };
  });
}

export function sendResponse(
  reply: FastifyReply,
  response: WriteResponse & { replayed?: boolean },
): FastifyReply {
  if (response.replayed) reply.header(headers.idempotentReplayed, 'true');
  if (response.etag) reply.header(headers.etag, response.etag);
  return reply.status(response.status).type('application/json; charset=utf-8').send(response.json);
}

async function storedResponse(tx: Transaction, userId: string, key: string, fingerprint: string) {
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

/** The header's value, with or without the quotes of a structured header field. */
function keyOf(request: FastifyRequest): string | null {
  const value = request.headers[headers.idempotencyKey];
  if (typeof value !== 'string') return null;
  const key = value.replace(/^"(.*)"$/, '$1');
  if (key === '' || key.length > maxKeyLength) {
    throw invalid(['header', headers.idempotencyKey], `must have 1 to ${maxKeyLength} characters`);
  }
  return key;
}

/** A hash of method, URL with query, and body. Headers are left out because a retry may send different ones. */
function fingerprintOf(request: FastifyRequest): string {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(request.rawBody)
    .digest('base64');
}
