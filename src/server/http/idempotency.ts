import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';
import { idempotencyKeys } from '../accounts/schema.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { type Transaction, transaction } from '../database/transaction.ts';
import { ApiError, invalid } from './api-error.ts';

/** What an effect answers; kept word for word for a repeated key. */
export interface Answer {
  status: number;
  json: string;
  etag?: string | null;
}

const keyLimit = 200;

/** Answers with what an effect answered the first time that this key was used. */
export async function answerOnce(
  deps: { db: Database; clock: Clock },
  request: FastifyRequest,
  reply: FastifyReply,
  effect: (tx: Transaction) => Promise<Answer>,
): Promise<FastifyReply> {
  return sendAnswer(reply, await once(deps, request, effect));
}

/**
 * Runs an effect at most once per key and account. Key, answer and effect commit together; a parallel duplicate
 * waits for the first on the key's row and then gets its answer. A refusal rolls back and leaves the key free.
 */
async function once(
  deps: { db: Database; clock: Clock },
  request: FastifyRequest,
  effect: (tx: Transaction) => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
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
    if (claimed.length === 0) return await replay(tx, userId, key, fingerprint);
    const answer = await effect(tx);
    await tx
      .update(idempotencyKeys)
      .set({
        status: answer.status,
        body: answer.json,
        etag: answer.etag ?? null,
      })
      .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)));
    return { ...answer, replayed: false };
  });
}

export function sendAnswer(reply: FastifyReply, answer: Answer & { replayed?: boolean }) {
  if (answer.replayed) reply.header(headers.idempotentReplayed, 'true');
  if (answer.etag) reply.header(headers.etag, answer.etag);
  return reply.status(answer.status).type('application/json; charset=utf-8').send(answer.json);
}

async function replay(tx: Transaction, userId: string, key: string, fingerprint: string) {
  const [kept] = await tx
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.userId, userId), eq(idempotencyKeys.key, key)));
  if (!kept || kept.fingerprint !== fingerprint) {
    throw new ApiError(
      422,
      'idempotency_mismatch',
      'This Idempotency-Key was used for another request',
    );
  }
  return {
    status: kept.status ?? 200,
    json: kept.body ?? '',
    etag: kept.etag,
    replayed: true,
  };
}

/** The header's value, with or without the quotes of a structured string. */
function keyOf(request: FastifyRequest): string | null {
  const value = request.headers[headers.idempotencyKey];
  if (typeof value !== 'string') return null;
  const key = value.replace(/^"(.*)"$/, '$1');
  if (key === '' || key.length > keyLimit) {
    throw invalid(['header', headers.idempotencyKey], `must have 1 to ${keyLimit} characters`);
  }
  return key;
}

/** Method, path with query, and body; never headers, which a resend may carry anew. */
function fingerprintOf(request: FastifyRequest): string {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(request.rawBody)
    .digest('base64');
}
