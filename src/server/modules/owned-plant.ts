import { and, eq } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import type { Transaction } from '../db/database.ts';
import { readPlant } from '../db/plant-queries.ts';
import { plants } from '../db/plant-schema.ts';
import type { PlantRow } from '../db/watering-records.ts';
import type { AppDeps } from '../deps.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { matches, versionEtag } from '../http/conditional.ts';

const plantParams = v.object({ id: v.pipe(v.string(), v.uuid()) });

/** Unknown, someone else's and malformed ids are one answer. */
export function plantNotFound(): ApiError {
  return notFound('Plant');
}

export function plantIdOf(request: FastifyRequest): string {
  const params = v.safeParse(plantParams, request.params);
  if (!params.success) throw plantNotFound();
  return params.output.id;
}

/** The account's plant, held until the transaction ends. */
export async function lockPlant(tx: Transaction, userId: string, id: string): Promise<PlantRow> {
  const [plant] = await tx
    .select()
    .from(plants)
    .where(and(eq(plants.userId, userId), eq(plants.id, id)))
    .for('update');
  if (!plant) throw plantNotFound();
  return plant;
}

/** 412 with the current record when If-Match names another version. */
export async function refuseOtherVersion(
  deps: AppDeps,
  tx: Transaction,
  plant: PlantRow,
  ifMatch: string | undefined,
): Promise<void> {
  const etag = versionEtag(plant.version);
  if (ifMatch === undefined || matches(ifMatch, etag)) return;
  const current = await readPlant(tx, plant.userId, plant.id, deps.clock());
  throw new ApiError(412, 'version_mismatch', 'The plant was changed meanwhile', {
    headers: { etag },
    ...(current && { currentJson: current.json }),
  });
}
