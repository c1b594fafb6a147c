import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const features = path.join(import.meta.dirname, '../../../src/client/features');
const folders = ['garden/card', 'landing/page', 'articles'];
const pictures = folders.flatMap((folder) =>
  fs
    .readdirSync(path.join(features, folder, 'pictures'))
    .map((name) => path.join(folder, 'pictures', name)),
);

test.each(folders)('%s has pictures', (folder) => {
  expect(pictures.some((file) => file.startsWith(`${folder}${path.sep}`))).toBe(true);
});

test.each(pictures)('%s has a size of 1260 × 750 and at most 12 kB gzipped', (file) => {
  const text = fs.readFileSync(path.join(features, file), 'utf8');
  expect(text).toMatch(/<svg\b[^>]*\bviewBox="0 0 1260 750"/);
  expect(gzipSync(text).length).toBeLessThanOrEqual(12_288);
});
