import { expect, onTestFinished, test, vi } from 'vitest';
import { encodePhoto } from '#client/features/photos/encode-photo.ts';
import { photoLimits } from '#domain/journal/photo.ts';
import { cameraJpeg, segmentsOf } from '../../../support/photos/camera-jpeg.ts';

const exif = 0xe1;

/** A photo stored in landscape format with a red left half. EXIF says to rotate it, so that this half is at the top. */
function lyingPhoto(width = 2_400, height = 1_200): Promise<File> {
  return cameraJpeg(width, height, (context) => {
    context.fillStyle = 'blue';
    context.fillRect(0, 0, width, height);
    context.fillStyle = 'red';
    context.fillRect(0, 0, width / 2, height);
  });
}

async function colourAt(jpeg: ArrayBuffer, x: number, y: number): Promise<string> {
  const bitmap = await createImageBitmap(new Blob([jpeg], { type: 'image/jpeg' }));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d');
  context?.drawImage(bitmap, 0, 0);
  const at = [Math.floor(x * bitmap.width), Math.floor(y * bitmap.height)] as const;
  const [red = 0, green = 0, blue = 0] = context?.getImageData(...at, 1, 1).data ?? [];
  if (red > 200 && green > 200 && blue > 200) return 'white';
  return red > blue ? 'red' : 'blue';
}

test('a rotated photo from a camera is encoded upright, in two sizes and without EXIF data', async () => {
  const file = await lyingPhoto();
  expect(segmentsOf(await file.arrayBuffer())).toContain(exif);
  const { full, small, width, height } = await encodePhoto(file);
  expect([width, height]).toEqual([800, 1_600]);
  for (const jpeg of [full, small]) {
    expect(segmentsOf(jpeg)).not.toContain(exif);
    expect(new TextDecoder('latin1').decode(jpeg)).not.toMatch(/Exif|GPS/);
    expect(await colourAt(jpeg, 0.5, 0.25)).toBe('red');
    expect(await colourAt(jpeg, 0.5, 0.75)).toBe('blue');
  }
  const thumbnail = await createImageBitmap(new Blob([small]));
  expect([thumbnail.width, thumbnail.height]).toEqual([200, 400]);
});

test('a small image is not enlarged', async () => {
  const { width, height } = await encodePhoto(await lyingPhoto(300, 200));
  expect([width, height]).toEqual([200, 300]);
});

test('a transparent image is encoded on a white background', async () => {
  const canvas = new OffscreenCanvas(20, 20);
  canvas.getContext('2d');
  const png = await canvas.convertToBlob({ type: 'image/png' });
  const { full } = await encodePhoto(png);
  expect(await colourAt(full, 0.5, 0.5)).toBe('white');
});

test('a copy that would be too large is encoded with a lower quality', async () => {
  const spy = vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function encode(
    this: HTMLCanvasElement,
    done,
    type = '',
    quality = 1,
  ) {
    const limit = this.height > 400 ? photoLimits.bytes : photoLimits.smallBytes;
    done(new Blob([new Uint8Array(quality > 0.6 ? limit + 1 : limit)], { type }));
  });
  onTestFinished(() => spy.mockRestore());
  const { full, small } = await encodePhoto(await lyingPhoto());
  const { bytes, smallBytes } = photoLimits;
  expect([full.byteLength, small.byteLength]).toEqual([bytes, smallBytes]);
});

test.each([
  ['a text file', new File(['not an image'], 'photo.jpg', { type: 'image/jpeg' })],
  ['an empty file', new File([], 'photo.jpg', { type: 'image/jpeg' })],
])('%s is rejected as unreadable', async (_, file) => {
  await expect(encodePhoto(file)).rejects.toMatchObject({ reason: 'unreadable' });
});

test('a file that is too large is rejected without being decoded', async () => {
  const file = new Blob([new Uint8Array(50 * 1024 * 1024 + 1)]);
  await expect(encodePhoto(file)).rejects.toMatchObject({ reason: 'too_large' });
});
