import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lchownSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError, inWords } from '../embedded-postgres-error.ts';
import type { Programs } from '../programs/find-programs.ts';
import { makeWhole, removeAbandoned } from '../programs/whole-folder.ts';
import { type ClusterFiles, clusterFiles, filesIn } from './cluster-files.ts';
import type { DataHome } from './data-home.ts';
import { writeNewFile } from './durable-files.ts';
import { runInitdb } from './run-initdb.ts';

/** The cluster of this home, made at the first start; of processes that start together one wins. */
export async function settleCluster(home: DataHome, programs: Programs): Promise<ClusterFiles> {
  const files = clusterFiles(home.folder);
  try {
    removeAbandoned(files.folder);
    if (!existsSync(files.folder)) {
      await makeWhole(files.folder, (draft) => fillDraft(filesIn(draft), home, programs));
    }
    refuseOtherVersion(files, programs);
  } catch (error) {
    throw inWords(error, files.folder);
  }
  return files;
}

async function fillDraft(draft: ClusterFiles, home: DataHome, programs: Programs): Promise<void> {
  chmodSync(draft.folder, 0o700);
  writeNewFile(draft.password, randomBytes(24).toString('base64url'), 0o600);
  if (home.account !== undefined) {
    const { uid, gid } = home.account;
    for (const path of [draft.password, draft.folder]) lchownSync(path, uid, gid);
  }
  await runInitdb(programs.folder, draft, home.account);
}

function refuseOtherVersion({ data, folder }: ClusterFiles, { version }: Programs): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  const brought = version.split('.')[0];
  if (found === brought) return;
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
