import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import {
  type PhotoSize,
  type PhotosResponse,
  photoPaths,
  photoQuerySchema,
  photoSizeQuerySchema,
} from '#contract/photos.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import type { Queryable, Transaction } from '../../database/transaction.ts';
import { notFound } from '../../http/api-error.ts';
import type { App, AppDeps } from '../../http/app-deps.ts';
import { contentEtag, sendUnlessMatched } from '../../http/etag.ts';
import { respond, respondOnce, type Write } from '../../http/idempotency.ts';
import { isUuid, rowIdOf } from '../../http/request-input.ts';
import { changeStatement } from '../../plants/changes.ts';
import { lockPlant, plantIdOf, plantNotFound, plantResponse } from '../../plants/owned-plant.ts';
import { isPlant, type PlantRow, plants } from '../../plants/schema.ts';
import { raisedVersions } from '../plant-dates.ts';
import { readPhotos } from '../queries.ts';
import { deletePhoto, storedPhoto, storePhoto } from './store-photo.ts';
import { bodyLimit, notForm, readUpload, tooLarge } from './upload.ts';

export async function photoRoutes(app: App, deps: AppDeps): Promise<void> {
  await app.register(async (scope: App) => uploadRoute(scope, deps));

  app.get(photoPaths.ofPlant, async (request, reply) => {
    const plant = { userId: request.session.userId, id: plantIdOf(request) };
    const photos = await readPhotos(deps.db.pool, plant);
    if (!photos) throw plantNotFound();
    const json = JSON.stringify({ photos } satisfies PhotosResponse);
    return sendUnlessMatched(request, reply, json, contentEtag(json));
  });

  const ofSize = { schema: { querystring: photoSizeQuerySchema } };
  app.get(photoPaths.one, ofSize, async (request, reply) => {
    const photo = { userId: request.session.userId, id: photoIdOf(request) };
    return await sendPhoto(deps.db.pool, photo, request.query.size, { request, reply });
  });

  app.delete(photoPaths.one, (request, reply) =>
    respondOnce(deps, request, reply, async (tx) => {
      const photo = { userId: request.session.userId, id: photoIdOf(request) };
      const stored = await storedPhoto(tx.$client, photo.userId, photo.id);
      if (!stored || stored.isDeleted) throw notFound('Photo');
      const plant = await lockPlant(tx, photo.userId, stored.plantId);
      if (!(await deletePhoto(tx, photo, deps.clock()))) throw notFound('Photo');
      const isPicture = plant.photo_id?.toLowerCase() === photo.id;
      return await changedPlant(deps, tx, plant, isPicture ? { photo_id: null } : {});
    }),
  );
}

/**
 * Must be called with a Fastify scope of its own, because it accepts only multipart forms there. Does not use
 * respondOnce: the photo id already makes a repeated request harmless, so no Idempotency-Key with a hash of the body
 * has to be stored.
 */
function uploadRoute(app: App, deps: AppDeps): void {
  const { photoLimits: limits } = deps;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_, body, done) =>
    done(null, body),
  );
  app.addContentTypeParser('*', (_request, _body, done) => done(notForm()));
  app.setErrorHandler((error: FastifyError) => {
    throw error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' ? tooLarge(limits.bytes) : error;
  });
  const options = { bodyLimit: bodyLimit(limits), schema: { querystring: photoQuerySchema } };
  app.put(photoPaths.one, options, async (request, reply) => {
    const { query } = request;
    const id = photoIdOf(request);
    if (!isUuid(query.plant_id)) throw plantNotFound();
    const upload = await readUpload(request, limits);
    return await respond(deps, reply, async (tx) => {
      const { userId } = request.session;
      // Photos of other plants must not be added between the count and the commit.
      await lockAccount(tx, userId);
      const plant = await lockPlant(tx, userId, query.plant_id);
      const options = { now: deps.clock(), maxCount: limits.count };
      const isNew = await storePhoto(tx, plant, { id, query, upload }, options);
      return isNew
        ? await changedPlant(deps, tx, plant)
        : await plantResponse(deps, tx.$client, plant);
    });
  });
}

/** Increments the versions of a locked plant, and responds with the plant. */
async function changedPlant(
  deps: AppDeps,
  tx: Transaction,
  plant: PlantRow,
  more: Partial<PlantRow> = {},
): Promise<Write> {
  await tx
    .update(plants)
    .set({ ...raisedVersions, ...more })
    .where(isPlant(plant));
  const response = await plantResponse(deps, tx.$client, plant);
  return { ...response, lastStatement: changeStatement(plant, { now: deps.clock() }) };
}

/** The bytes of a photo never change, so browsers keep them. */
async function sendPhoto(
  db: Queryable,
  { userId, id }: { userId: string; id: string },
  size: PhotoSize,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const { rows } = await db.query<{ hash: string; bytes: Buffer | null }>({
    name: `photo-${size}`,
    text: `SELECT hash, ${size}_jpeg AS bytes FROM photos WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL`,
    values: [userId, id],
  });
  const [photo] = rows;
  if (!photo?.bytes) throw notFound('Photo');
  reply.header('content-disposition', 'inline');
  return sendUnlessMatched(request, reply, photo.bytes, `"${photo.hash}.${size}"`, {
    type: 'image/jpeg',
    cacheControl: 'private, max-age=31536000, immutable',
  });
}

function photoIdOf(request: FastifyRequest): string {
  const id = rowIdOf(request);
  if (id === null) throw notFound('Photo');
  return id.toLowerCase();
}
