import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';

/** Runs `use` with the paths of `count` JPEG files of 12 megapixels, as detailed as photos of a camera are. */
export async function withPhotoFiles(
  page: Page,
  count: number,
  use: (files: string[]) => Promise<void>,
): Promise<void> {
  const base64 = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(4_000, 3_000);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    for (let i = 0; i < 60_000; i += 1) {
      const [hue, x, y] = [Math.random() * 120 + 40, Math.random() * 4_000, Math.random() * 3_000];
      context.fillStyle = `hsl(${hue} 50% ${20 + Math.random() * 60}%)`;
      context.fillRect(x, y, 10 + Math.random() * 60, 4 + Math.random() * 20);
    }
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-photos-'));
  try {
    const files = Array.from({ length: count }, (_, i) => path.join(folder, `IMG_${i}.jpg`));
    for (const file of files) fs.writeFileSync(file, Buffer.from(base64, 'base64'));
    await use(files);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
