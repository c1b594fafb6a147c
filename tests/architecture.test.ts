import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { houseRules } from './support/house-rules.ts';
import { isCode, readSource, type SourceTexts } from './support/source-graph.ts';

const src = path.join(import.meta.dirname, '..', 'src');
const house = readSource(readTree());

test('the house is found, with what it imports', () => {
  expect(house.size).toBeGreaterThan(100);
  const imports = house.get('src/start/sync-link.ts')?.imports.map(({ target }) => target);
  expect(imports).toEqual([
    'src/session/session.ts',
    'src/session/stored-session.ts',
    'src/sync/messages.ts',
    'src/start/background-sync.ts',
    'src/sync/worker.ts',
    'src/sync/engine-host.ts',
  ]);
});

test.each(houseRules)('%s', (_, rule) => {
  expect(rule(house)).toEqual([]);
});

function readTree(): SourceTexts {
  const files = fs
    .readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files.map((file) => [
      path.relative(path.dirname(src), file).split(path.sep).join('/'),
      isCode(file) || file.endsWith('.css') ? fs.readFileSync(file, 'utf8') : '',
    ]),
  );
}
