import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { settingNames } from '#server/start/config.ts';

const root = path.join(import.meta.dirname, '../..');

/** All files and folders, relative to the project, without packages that a bench has installed. */
const entries = ['', '.ci', '.github', 'public', 'src', 'tests']
  .flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: folder !== '', encoding: 'utf8' })
      .map((file) => path.join(folder, file)),
  )
  .filter((file) => !file.includes('node_modules/'));
const documents = entries.filter((file) => /(README|CONTRIBUTING|SECURITY)\.md$/.test(file));

/** The file of a recipe's example. */
const examples = ['dashboard/harvest.tsx'];

interface Named {
  document: string;
  name: string;
}

/** All matches of the first group of `pattern` in the documents, each with its document. */
function named(pattern: RegExp, inside = documents): Named[] {
  return inside.flatMap((document) =>
    [...fs.readFileSync(path.join(root, document), 'utf8').matchAll(pattern)].map(
      ([, name = '']) => ({ document, name }),
    ),
  );
}

const exists = (file: string) => entries.includes(path.normalize(file).replace(/\/$/, ''));

test('every file that a document links to exists', () => {
  const links = named(/(?:\]\(|src=")([^)#"\s]+)/g).filter(({ name }) => !name.includes(':'));
  const missing = links.filter(
    ({ document, name }) => !exists(path.join(path.dirname(document), name)),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

test('every source file that a document names exists', () => {
  const names = named(/`([\w./-]+\.(?:ts|tsx|mjs|css|md))`/g);
  const missing = names.filter(
    ({ name }) =>
      !examples.includes(name) && !entries.some((file) => `/${file}`.endsWith(`/${name}`)),
  );
  expect(names.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

test('every test that is named in the client’s README exists', () => {
  const names = named(/`((?:e2e|client|server|contract)\/[\w/-]+)`/g, ['src/client/README.md']);
  const endings = ['', '.test.ts', '.test.tsx', '.browser.test.ts', '.browser.test.tsx'];
  const missing = names.filter(({ name }) => !endings.some((end) => exists(`tests/${name}${end}`)));
  expect(names.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test('the server’s README describes every setting, and no other', () => {
  const items = named(/^- ((?:`[A-Z_]+`(?:, )?)+):/gm, ['src/server/README.md']);
  const described = items.flatMap(({ name }) => name.replaceAll('`', '').split(', '));
  expect(described.sort()).toEqual([...settingNames].sort());
});
