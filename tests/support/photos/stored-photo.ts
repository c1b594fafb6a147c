import type { DeviceDb } from '#client/store/schema.ts';
import type { JournalPhoto } from '#domain/journal/photo.ts';

/** Stores a photo that is on the server, in both sizes: a leaf in a colour that depends on the photo's id. */
export async function storePhoto(
  db: DeviceDb,
  plantId: string,
  photo: Partial<JournalPhoto> & { id: string },
): Promise<JournalPhoto> {
  const { id } = photo;
  const size = { width: 800, height: 600 };
  await db.photos.put({ id, plantId, isWaiting: false, sizes: ['full', 'small'] });
  await db.photoFiles.bulkPut([
    { photoId: id, size: 'full', bytes: await leafJpeg(id, 1), usedAt: Date.now() },
    { photoId: id, size: 'small', bytes: await leafJpeg(id, 0.25), usedAt: Date.now() },
  ]);
  return { entry_id: null, taken_at: '2026-11-20T08:00:00.000Z', ...size, ...photo };
}

/** A JPEG of 800×600 pixels at scale 1. */
export async function leafJpeg(seed: string, scale = 1): Promise<ArrayBuffer> {
  const canvas = new OffscreenCanvas(800 * scale, 600 * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas');
  const hue = [...seed].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 360;
  context.scale(scale, scale);
  context.fillStyle = `hsl(${hue} 30% 85%)`;
  context.fillRect(0, 0, 800, 600);
  context.fillStyle = `hsl(${90 + (hue % 60)} 45% 35%)`;
  context.beginPath();
  context.ellipse(400, 300, 120, 240, 0.6, 0, 2 * Math.PI);
  context.fill();
  const blob = await canvas.convertToBlob({ type: 'image/jpeg' });
  return blob.arrayBuffer();
}
