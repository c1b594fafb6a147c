import { createHash } from 'node:crypto';
import { photoLimits } from '#domain/journal/photo.ts';
import { ApiError } from '../../http/api-error.ts';
import { type JpegSize, jpegSize } from './jpeg.ts';

/** The full and the small JPEG of a photo as they were sent, and the width and height of the full one. */
export interface Upload extends JpegSize {
  full: Buffer;
  small: Buffer;
  /** SHA-256 of both. */
  hash: string;
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
