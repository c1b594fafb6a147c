import type { FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';
import type { Queryable, Transaction } from '../database/transaction.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import type { AppDeps } from '../http/app-deps.ts';
import { versionEtag, versionMatches } from '../http/etag.ts';
import type { WriteResponse } from '../http/idempotency.ts';
import { rowIdOf } from '../http/request-input.ts';
import { readPlant } from './queries.ts';
import { isPlant, type PlantKey, type PlantRow, plants } from './schema.ts';

/** A 404, the same for unknown and malformed ids and for those of other accounts. */
export function plantNotFound(): ApiError {
  return notFound('Plant');
}

export function plantIdOf(request: FastifyRequest): string {
  const id = rowIdOf(request);
  if (id === null) throw plantNotFound();
  return id;
}

/** Locks the account's plant until the transaction ends. FOR UPDATE, because the caller may delete it. */
export async function lockPlant(tx: Transaction, userId: string, id: string): Promise<PlantRow> {
  const [plant] = await tx.select().from(plants).where(isPlant({ userId, id })).for('update');
  if (!plant) throw plantNotFound();
  return plant;
}

/**
 * Locks the plant that a request names. Throws a 404 if there is none, or a 412 with the current record if If-Match
 * names another version.
 */
export async function lockRequestedPlant(
  deps: AppDeps,
  tx: Transaction,
  request: FastifyRequest,
): Promise<PlantRow> {
  const plant = await lockPlant(tx, request.session.userId, plantIdOf(request));
  const ifMatch = request.headers[headers.ifMatch];
  if (ifMatch === undefined || versionMatches(ifMatch, plant.version)) return plant;
  const current = await readPlant(tx.$client, plant.userId, plant.id, deps.clock());
  throw new ApiError(412, 'version_mismatch', 'The plant was changed meanwhile', {
    headers: { [headers.etag]: versionEtag(plant.version) },
    ...(current && { currentJson: current.json }),
  });
}

/** The account's plant as a response to a change, with its version as the ETag. */
export async function plantResponse(
  deps: AppDeps,
  db: Queryable,
  { userId, id }: PlantKey,
  status = 200,
): Promise<WriteResponse & { etag: string }> {
  const { json, version } = await readOwnedPlant(deps, db, { userId, id });
  return { status, json, etag: versionEtag(version) };
}

/** The account's plant. Throws a 404 if there is none. */
export async function readOwnedPlant(
  { clock }: AppDeps,
  db: Queryable,
  { userId, id }: PlantKey,
): Promise<{ json: string; version: number }> {
  const plant = await readPlant(db, userId, id, clock());
  if (!plant) throw plantNotFound();
  return plant;
}
