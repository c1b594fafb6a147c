import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolderAtomically, removeAbandonedDrafts } from '#embedded-postgres/durable-files.ts';
import { temporaryFolder } from './support/data-folder.ts';

test('if filling a new folder fails, no files are left behind', async () => {
  const parent = temporaryFolder();
  const filling = createFolderAtomically(join(parent, 'made'), async (draft) => {
    writeFileSync(join(draft, 'half'), '');
    throw new Error('no more');
  });
  await expect(filling).rejects.toThrow('no more');
  expect(readdirSync(parent)).toEqual([]);
});

test('if the same folder is created twice, the first one wins and contents are not mixed', async () => {
  const parent = temporaryFolder();
  const target = join(parent, 'made');
  const make = (name: string) =>
    createFolderAtomically(target, async (draft) => writeFileSync(join(draft, name), ''));
  await make('first');
  await make('second');
  expect(readdirSync(parent)).toEqual(['made']);
  expect(readdirSync(target)).toEqual(['first']);
});

test('unfinished folders of dead processes are removed, those of running ones are not', () => {
  const target = join(temporaryFolder(), 'made');
  const dead = `${target}.by-${spawnSync('true').pid}-abc`;
  const living = `${target}.by-${process.ppid}-abc`;
  for (const folder of [dead, living]) mkdirSync(folder);
  removeAbandonedDrafts(target);
  expect(existsSync(dead)).toBe(false);
  expect(existsSync(living)).toBe(true);
});
