import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

// Tests the rules of src/README.md that the linter cannot express.
const src = path.join(import.meta.dirname, '../../src');
const files = fs
  .readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith('.gen.ts'));
const read = (file: string) => fs.readFileSync(path.join(src, file), 'utf8');

/** The layer of a file, e.g. `server` or `client/store`: each folder of the client is a layer. */
function layerOf(file: string): string {
  const [top = '', second = ''] = file.split(path.sep);
  return top === 'client' ? `${top}/${second}` : top;
}

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(
    ([, to = '']) => to,
  );
}

test('a relative import stays inside its layer, except in the build layer', () => {
  // Exception: the Vite plugins of src/build refer to the programs that they build.
  const leaving = files
    .filter((file) => layerOf(file) !== 'build')
    .filter((file) =>
      importsOf(file)
        .filter((to) => to.startsWith('.'))
        .some((to) => layerOf(path.join(path.dirname(file), to)) !== layerOf(file)),
    );
  expect(leaving).toEqual([]);
});

test('the embedded PostgreSQL is used through its public files only', () => {
  const imported = files.flatMap(importsOf).filter((to) => to.startsWith('#embedded-postgres/'));
  expect([...new Set(imported)].sort()).toEqual([
    '#embedded-postgres/embedded-postgres-error.ts',
    '#embedded-postgres/open-embedded.ts',
  ]);
});

test('the domain never reads the clock', () => {
  const reading = files.filter(
    (file) => layerOf(file) === 'domain' && /new Date\(\)|Date\.now|performance\./.test(read(file)),
  );
  expect(reading).toEqual([]);
});

test('no file is called utils, helpers, misc, types or common', () => {
  const vague = files.filter((file) => /(^|\/)(utils?|helpers?|misc|types|common)\./.test(file));
  expect(vague).toEqual([]);
});

test('no folder except the migrations has more than 17 entries besides README.md and tsconfig.json', () => {
  const unlisted = ['README.md', 'tsconfig.json'];
  const folders = fs
    .readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const entriesOf = (folder: string) =>
    fs.readdirSync(folder).filter((name) => !unlisted.includes(name));
  const crowded = [src, ...folders]
    .filter((folder) => !folder.startsWith(path.join(src, 'server/database/migrations')))
    .filter((folder) => entriesOf(folder).length > 17);
  expect(crowded, 'group the files of these folders by noun in new folders').toEqual([]);
});
