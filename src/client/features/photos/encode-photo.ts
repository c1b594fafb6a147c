import { photoLimits } from '#domain/journal/photo.ts';

/** A photo as it is stored and sent: two upright JPEG files without any metadata of the camera. */
export interface EncodedPhoto {
  full: ArrayBuffer;
  small: ArrayBuffer;
  /** Of the full size, pixels. */
  width: number;
  height: number;
}

/** Why a file cannot be used as a photo. */
export class PhotoError extends Error {
  readonly reason: 'unreadable' | 'too_large';

  constructor(reason: 'unreadable' | 'too_large') {
    super(reason);
    this.reason = reason;
  }
}

/** Maximum length of the longer side, pixels. */
const sides = { full: 1_600, small: 400 } as const;

/** Decoding a larger file may make a phone's browser kill the page. */
const maxFileBytes = 50 * 1024 * 1024;

/** JPEG qualities, tried in this order until the file is small enough. */
const qualities = [0.8, 0.65, 0.5] as const;

/**
 * Encodes an image file again, upright and in two sizes. The copies contain no EXIF data, so neither the location nor
 * the camera is sent. Throws PhotoError if the browser cannot decode the file or encode JPEG, or if the file or a copy
 * is too large.
 */
export async function encodePhoto(file: Blob): Promise<EncodedPhoto> {
  if (file.size > maxFileBytes) throw new PhotoError('too_large');
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new PhotoError('unreadable');
  });
  try {
    const full = drawn(bitmap, sides.full);
    const small = drawn(full, sides.small);
    return {
      full: await jpegOf(full, photoLimits.bytes),
      small: await jpegOf(small, photoLimits.smallBytes),
      width: full.width,
      height: full.height,
    };
  } finally {
    bitmap.close();
  }
}

/** The image on a white background, scaled down so that its longer side has at most `side` pixels. */
function drawn(image: ImageBitmap | HTMLCanvasElement, side: number): HTMLCanvasElement {
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new PhotoError('unreadable');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

async function jpegOf(canvas: HTMLCanvasElement, maxBytes: number): Promise<ArrayBuffer> {
  for (const quality of qualities) {
    const blob = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, 'image/jpeg', quality),
    );
    // A browser that cannot encode JPEG would return a PNG.
    if (blob?.type !== 'image/jpeg') throw new PhotoError('unreadable');
    if (blob.size <= maxBytes) return await blob.arrayBuffer();
  }
  throw new PhotoError('too_large');
}
