import * as v from 'valibot';
import type { JournalPhoto } from '#domain/journal/photo.ts';
import { momentSchema } from './moment.ts';
import { type ApiRequest, pathFor, request } from './request.ts';

export const photoPaths = {
  ofPlant: '/api/plants/:id/photos',
  one: '/api/photos/:id',
} as const;

/** An app's timeout for sending or receiving a photo on a slow line. The server's request timeout must be longer. */
export const photoTimeoutMs = 120_000;

export const journalPhotoSchema: v.GenericSchema<unknown, JournalPhoto> = v.looseObject({
  id: v.pipe(v.string(), v.minLength(1)),
  entry_id: v.optional(v.nullable(v.string()), null),
  taken_at: v.string(),
  width: v.number(),
  height: v.number(),
});

export interface PhotosResponse {
  photos: JournalPhoto[];
}

export const photosResponseSchema: v.GenericSchema<unknown, PhotosResponse> = v.looseObject({
  photos: v.array(journalPhotoSchema),
});

/** Query of PUT /api/photos/{id}. */
export interface PhotoQuery {
  plant_id: string;
  entry_id?: string | undefined;
  /** ISO 8601 */
  taken_at: string;
}

export const photoQuerySchema: v.GenericSchema<unknown, PhotoQuery> = v.object({
  plant_id: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  entry_id: v.optional(v.pipe(v.string(), v.uuid('Must be a UUID'))),
  taken_at: momentSchema,
});

/** The two sizes of a photo. The app makes them at most 1600 and 400 pixels on the longer side. */
export type PhotoSize = 'full' | 'small';

/** Query of GET /api/photos/{id}. */
export const photoSizeQuerySchema: v.GenericSchema<unknown, { size: PhotoSize }> = v.object({
  size: v.optional(v.picklist(['full', 'small']), 'full'),
});

/** The parts of the multipart/form-data body of PUT /api/photos/{id}, both JPEG. */
export const photoParts = { full: 'full', small: 'small' } as const;

/** The request without its body; the two files are added when it is sent. */
export function putPhotoRequest(photoId: string, query: PhotoQuery): ApiRequest {
  return request('PUT', pathFor(photoPaths.one, photoId), { query: { ...query } });
}

export function deletePhotoRequest(photoId: string): ApiRequest {
  return request('DELETE', pathFor(photoPaths.one, photoId));
}

export function photoRequest(photoId: string, size: PhotoSize): ApiRequest {
  return request('GET', pathFor(photoPaths.one, photoId), {
    query: { size: size === 'small' ? size : null },
  });
}
