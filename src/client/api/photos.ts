import { photoParts, photoRequest, photoTimeoutMs } from '#contract/photos.ts';
import type { ApiRequest } from '#contract/request.ts';
import { ApiError, isFromServer } from './http.ts';
import { type ApiResponse, exchange, type Fetch, type RequestOptions, send } from './send.ts';

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

/** Called with the share of a request's body that has been sent, 0–1. */
export type OnProgress = (share: number) => void;

/**
 * A fetch for FormData that reports the progress of the upload, which the platform's fetch cannot. Null where
 * XMLHttpRequest is missing, as in a service worker.
 */
export const uploadFetch: ((onProgress: OnProgress) => Fetch) | null =
  typeof XMLHttpRequest === 'undefined'
    ? null
    : (onProgress) => (url, init) => sendByXhr(url, init, onProgress);

function sendByXhr(url: string, init: RequestInit, onProgress: OnProgress): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(init.method ?? 'GET', url);
    for (const [name, value] of new Headers(init.headers)) xhr.setRequestHeader(name, value);
    xhr.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    });
    xhr.addEventListener('load', () => {
      try {
        resolve(responseOf(xhr));
      } catch (error) {
        // The constructor of Response throws for a status above 599, which a middlebox may send, such as 999.
        reject(error);
      }
    });
    xhr.addEventListener('error', () => reject(new TypeError('No response')));
    xhr.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
    init.signal?.addEventListener('abort', () => xhr.abort());
    if (init.signal?.aborted) return reject(new DOMException('Aborted', 'AbortError'));
    xhr.send(init.body instanceof FormData ? init.body : null);
  });
}

function responseOf(xhr: XMLHttpRequest): Response {
  const lines = xhr.getAllResponseHeaders().trim().split(/\r?\n/);
  const headers = lines
    .map((line) => /^([^:]+):\s*(.*)$/.exec(line))
    .flatMap((match): [string, string][] => (match?.[1] ? [[match[1], match[2] ?? '']] : []));
  const isEmpty = [204, 205, 304].includes(xhr.status);
  return new Response(isEmpty ? null : xhr.responseText, { status: xhr.status, headers });
}
