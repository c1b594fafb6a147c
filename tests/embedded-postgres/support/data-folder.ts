import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openEmbedded } from '#embedded-postgres/open-embedded.ts';
import { provided } from '../../support/provided.ts';

export const runsAsRoot = process.getuid?.() === 0;

/** A folder that every user can reach, removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sprig-test-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A data folder that does not exist yet. */
export function freshDataDir(): string {
  return join(temporaryFolder(), 'data');
}

let template: Promise<string> | undefined;

/** A data folder that was in use before. A copy, because creating one takes a second. */
export async function usedDataDir(): Promise<string> {
  template ??= makeTemplate();
  const dataDir = freshDataDir();
  spawnSync('cp', ['-a', await template, dataDir]);
  return dataDir;
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(join(provided('sharedFolder'), 'template-'));
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  const postgres = await openEmbedded({ dataDir });
  await postgres.stop();
  return dataDir;
}
