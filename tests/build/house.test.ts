import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** The rules of src/README.md that the linter cannot express. */
const src = path.join(import.meta.dirname, '../../src');
const files = fs
  .readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith('.gen.ts'));
const read = (file: string) => fs.readFileSync(path.join(src, file), 'utf8');

/** e.g. `server`, or `client/store`: each part of the client is a layer of its own. */
function layerOf(file: string): string {
  const [top = '', second = ''] = file.split(path.sep);
  return top === 'client' ? `${top}/${second}` : top;
}

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(
    ([, to = '']) => to,
  );
}

test('a relative import stays inside its layer', () => {
  // The Vite plugins of src/build name the programs that they build.
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

test('a file is named after what it holds', () => {
  const vague = files.filter((file) => /(^|\/)(utils?|helpers?|misc|types|common)\./.test(file));
  expect(vague).toEqual([]);
});
