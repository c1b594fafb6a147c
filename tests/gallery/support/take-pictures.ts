import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { projectRoot } from '../../../src/build/build-if-needed.mjs';
import type { Scene } from './scene.ts';

export const folder = path.join(projectRoot, 'gallery');

const sizes = [
  [390, 844],
  [768, 1024],
  [1440, 900],
] as const;
const smallest = [320, 640] as const;

/** Writes the files `name.WIDTH.THEME.png` into the gallery's folder. */
export async function takePictures(scene: Scene, page: Page): Promise<void> {
  for (const [width, height] of scene.isSmallToo ? [smallest, ...sizes] : sizes) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await scene.show(page);
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      // Makes the viewport as high as the page, so that fixed elements and lazily rendered content are in the picture.
      if (!scene.isCut) await page.setViewportSize({ width, height: await lengthOf(page) });
      await untilPictured(page);
      await page.screenshot({ path: path.join(folder, `${scene.name}.${width}.${theme}.png`) });
    }
  }
}

/** Whether the scene's path opens its screen without a redirect. */
export async function hasScreen({ path: address }: Scene, page: Page): Promise<boolean> {
  if (address === undefined) return true;
  await page.goto(address);
  await page.getByRole('heading').first().waitFor();
  return page.url().endsWith(address);
}

async function lengthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight);
}

async function untilPictured(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.images].every(
      (image) => image.complete || image.getBoundingClientRect().top > window.innerHeight,
    ),
  );
}

/** One page with all pictures. */
export function writeIndex(): void {
  const files = fs.readdirSync(folder).filter((file) => file.endsWith('.png'));
  const names = [...new Set(files.map((file) => file.split('.')[0] ?? ''))];
  const rows = names.map((name) => {
    const own = files.filter((file) => file.startsWith(`${name}.`)).sort(byWidth);
    const pictures = own.map((file) => `<a href="${file}"><img src="${file}" alt="${file}"></a>`);
    return `<h2>${name}</h2><p>${pictures.join('')}</p>`;
  });
  const style =
    'body{font:14px sans-serif;background:#888}img{height:24rem;margin:.25rem}p{margin:0}';
  const html = `<!doctype html><meta charset="utf-8"><title>Gallery</title><style>${style}</style>`;
  fs.writeFileSync(path.join(folder, 'index.html'), html + rows.join('\n'));
}

function byWidth(a: string, b: string): number {
  return Number(a.split('.')[1]) - Number(b.split('.')[1]) || b.localeCompare(a);
}
