import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { claimFolder, removeAbandoned } from './claimed-folder.ts';
import { type ClusterFiles, clusterFiles, filesIn } from './cluster-files.ts';
import type { DataHome } from './data-home.ts';
import { syncPath, writeNewFile } from './durable-files.ts';
import { EmbeddedPostgresError, errorCode, inWords } from './embedded-postgres-error.ts';
import type { Programs } from './find-programs.ts';
import { runInitdb } from './run-initdb.ts';

/** The cluster of this home, made at the first start; of processes that start together one wins. */
export async function settleCluster(home: DataHome, programs: Programs): Promise<ClusterFiles> {
  const files = clusterFiles(home.folder);
  try {
    removeAbandoned(files.folder);
    if (!existsSync(files.folder)) await makeCluster(files.folder, home, programs);
    refuseOtherVersion(files, programs);
  } catch (error) {
    throw inWords(error, files.folder);
  }
  return files;
}

async function makeCluster(target: string, home: DataHome, programs: Programs): Promise<void> {
  const draft = claimFolder(target);
  try {
    await fillDraft(filesIn(draft), home, programs);
    takePlace(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function fillDraft(draft: ClusterFiles, home: DataHome, programs: Programs): Promise<void> {
  chmodSync(draft.folder, 0o700);
  writeNewFile(draft.password, randomBytes(24).toString('base64url'), 0o600);
  if (home.account !== undefined) {
    const { uid, gid } = home.account;
    for (const path of [draft.password, draft.folder]) lchownSync(path, uid, gid);
  }
  await runInitdb(programs.folder, draft, home.account);
  syncPath(draft.folder);
}

function takePlace(draft: string, target: string): void {
  try {
    renameSync(draft, target);
  } catch (error) {
    // Another process was first: its cluster and its password count.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
  syncPath(dirname(target));
}

function refuseOtherVersion({ data, folder }: ClusterFiles, { version }: Programs): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  const brought = version.split('.')[0];
  if (found === brought && lstatSync(folder).isDirectory()) return;
  throw new EmbeddedPostgresError(
    `${folder} was made by PostgreSQL ${found} and this is PostgreSQL ${brought}; move the data over or set DATABASE_URL`,
  );
}

export function readPassword({ password }: ClusterFiles): string {
  try {
    return readFileSync(password, 'utf8').trim();
  } catch (error) {
    throw inWords(error, password);
  }
}
