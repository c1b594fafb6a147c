import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { photoParts } from '#contract/photos.ts';
import { photoLimits } from '#domain/journal/photo.ts';
import { ApiError, invalid } from '../../http/api-error.ts';
import { type JpegSize, jpegSize } from './jpeg.ts';

/** Limits that an operator can configure. */
export interface PhotoLimits {
  /** Bytes of the full size. */
  bytes: number;
  /** Photos of an account. */
  count: number;
}

/** The full and the small JPEG of a photo as they were sent, and the width and height of the full one. */
export interface Upload extends JpegSize {
  full: Buffer;
  small: Buffer;
  /** SHA-256 of both. */
  hash: string;
}

/** Maximum size of a request body: both parts and the multipart lines between them. */
export function bodyLimit({ bytes }: PhotoLimits): number {
  return bytes + photoLimits.smallBytes + 16 * 1024;
}

/** Reads and checks the parts of a body. Throws a 413, 415 or 422. */
export async function readUpload(request: FastifyRequest, limits: PhotoLimits): Promise<Upload> {
  const form = await formOf(request);
  const full = await partOf(form, photoParts.full, limits.bytes);
  const small = await partOf(form, photoParts.small, photoLimits.smallBytes);
  return checkedUpload(full, small);
}

async function formOf({ body, headers }: FastifyRequest): Promise<FormData> {
  if (!Buffer.isBuffer(body)) throw notForm();
  try {
    const type = String(headers['content-type']);
    return await new Response(new Uint8Array(body), {
      headers: { 'content-type': type },
    }).formData();
  } catch {
    throw invalid(['body'], 'Must be multipart/form-data');
  }
}

async function partOf(form: FormData, name: string, maxBytes: number): Promise<Buffer> {
  const part = form.get(name);
  if (part === null) throw invalid(['body', name], 'Required');
  if (typeof part === 'string') throw invalid(['body', name], 'Must be a file');
  if (part.size > maxBytes) throw tooLarge(maxBytes);
  return Buffer.from(await part.arrayBuffer());
}

/** Checks that both are JPEGs. Throws a 415, or a 413 for too many pixels. */
export function checkedUpload(full: Buffer, small: Buffer): Upload {
  const size = sizeOf(full);
  sizeOf(small);
  const hash = createHash('sha256').update(`${full.length} `).update(full).update(small);
  return { ...size, full, small, hash: hash.digest('base64url') };
}

function sizeOf(bytes: Buffer): JpegSize {
  const size = jpegSize(bytes);
  if (!size) throw new ApiError(415, 'invalid', 'A photo must be a JPEG');
  if (size.width * size.height <= photoLimits.pixels) return size;
  const message = `A photo can have ${photoLimits.pixels / 1_000_000} megapixels at most`;
  throw new ApiError(413, 'body_too_large', message);
}

export function notForm(): ApiError {
  const message = 'The body must be multipart/form-data with the JPEG files full and small';
  return new ApiError(415, 'invalid', message);
}

export function tooLarge(bytes: number): ApiError {
  const size = bytes < 1024 * 1024 ? `${kib(bytes)} KiB` : `${kib(bytes / 1024)} MiB`;
  return new ApiError(413, 'body_too_large', `The file can have ${size} at most`);
}

/** The amount in units of 1024, rounded down to one decimal place. */
function kib(amount: number): number {
  return Math.floor((amount / 1024) * 10) / 10;
}
