import { photoParts, photoRequest, photoTimeoutMs } from '#contract/photos.ts';
import type { ApiRequest } from '#contract/request.ts';
import { ApiError, isFromServer } from './http.ts';
import { type ApiResponse, exchange, type RequestOptions, send } from './send.ts';

/** The two sizes of a photo, JPEG. */
export type PhotoFiles = Record<'full' | 'small', ArrayBuffer>;

/** Sends the two sizes of a photo. `request`: as stored with the op. Rejects only with NoResponse. */
export function uploadPhoto(
  request: ApiRequest,
  files: PhotoFiles,
  call: RequestOptions,
  idempotencyKey: string,
): Promise<ApiResponse> {
  const form = new FormData();
  for (const part of [photoParts.small, photoParts.full]) {
    form.append(part, new Blob([files[part]], { type: 'image/jpeg' }), `${part}.jpg`);
  }
  return send(request, call, { idempotencyKey, form, timeoutMs: photoTimeoutMs });
}

/** The bytes of a photo; null if the server has no such photo. Throws NoResponse or ApiError. */
export async function fetchPhoto(
  photoId: string,
  size: 'full' | 'small',
  call: RequestOptions,
): Promise<ArrayBuffer | null> {
  const request = photoRequest(photoId, size);
  const extra = { timeoutMs: photoTimeoutMs };
  const { status, isImage, isJson, bytes } = await exchange(request, call, extra, readImage);
  if (status === 200 && isImage) return bytes;
  if ((status === 404 || status === 410) && isJson) return null;
  const isUsable = status === 401 || isFromServer({ status, isJson });
  throw new ApiError('Failed to fetch photo', isUsable ? status : null);
}

async function readImage(response: Response) {
  const type = response.headers.get('content-type') ?? '';
  return {
    status: response.status,
    isImage: type.startsWith('image/jpeg'),
    isJson: type.startsWith('application/json'),
    bytes: await response.arrayBuffer(),
  };
}
