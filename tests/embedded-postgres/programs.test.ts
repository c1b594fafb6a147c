import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EmbeddedPostgresError } from '#embedded-postgres/embedded-postgres-error.ts';
import { copyPrograms } from '#embedded-postgres/programs/prepare-programs.ts';
import { runsAsRoot, temporaryFolder, usedDataDir } from './support/data-folder.ts';
import { packageWithoutLinks } from './support/installed-package.ts';
import { openHere, query } from './support/running-postgres.ts';

const uid = process.getuid?.() ?? 0;

test('missing symbolic links of libraries are created at the start', async () => {
  const { links, machine } = packageWithoutLinks();
  const { connection } = await openHere(await usedDataDir(), machine);
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
});

test.skipIf(runsAsRoot)('a package that cannot be written to is run from a copy', async () => {
  const { folder, links, machine } = packageWithoutLinks();
  const libraries = join(folder, 'native/lib');
  chmodSync(libraries, 0o555);
  onTestFinished(() => chmodSync(libraries, 0o755));
  const dataDir = await usedDataDir();
  const { connection } = await openHere(dataDir, machine);
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(links.filter((link) => existsSync(link))).toEqual([]);
  expect(readdirSync(dataDir)).toContainEqual(expect.stringMatching(/^postgres-18\./));
});

test.runIf(runsAsRoot)(
  'as root, a package in a folder that only root can enter is run from a copy',
  async () => {
    const { folder, machine } = packageWithoutLinks();
    chmodSync(dirname(folder), 0o700);
    const systemFolder = join(temporaryFolder(), 'system');
    const { connection } = await openHere(await usedDataDir(), { ...machine, systemFolder });
    expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(readdirSync(systemFolder)).toEqual([expect.stringMatching(/^postgres-18\./)]);
  },
);

test('copying the programs twice in parallel makes one complete copy', async () => {
  const { folder } = packageWithoutLinks();
  const source = join(folder, 'native');
  const target = join(temporaryFolder(), 'copy');
  const copies = await Promise.all([
    copyPrograms(source, target, uid),
    copyPrograms(source, target, uid),
  ]);
  expect(copies).toEqual([join(target, 'native'), join(target, 'native')]);
  expect(readdirSync(dirname(target))).toEqual(['copy']);
  expect(statSync(join(target, 'native/bin/postgres')).mode & 0o777).toBe(0o755);
});

test('an existing copy that other users can write to is rejected', async () => {
  const target = join(temporaryFolder(), 'copy');
  mkdirSync(target);
  chmodSync(target, 0o777);
  const copying = copyPrograms(temporaryFolder(), target, uid);
  await expect(copying).rejects.toThrow(EmbeddedPostgresError);
});
