import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lchownSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolderAtomically, removeAbandonedDrafts, writeNewFile } from '../durable-files.ts';
import { describeFileError, EmbeddedPostgresError } from '../embedded-postgres-error.ts';
import type { Programs } from '../programs/find-programs.ts';
import type { DataHome } from './cluster-files.ts';
import { type ClusterFiles, clusterFiles, filesIn } from './cluster-files.ts';
import { runInitdb } from './run-initdb.ts';

/** Creates the cluster at the first start; if several processes start together, one of them does. */
export async function ensureCluster(home: DataHome, programs: Programs): Promise<ClusterFiles> {
  const files = clusterFiles(home.folder);
  try {
    removeAbandonedDrafts(files.folder);
    if (!existsSync(files.folder)) {
      await createFolderAtomically(files.folder, (draft) =>
        fillDraft(filesIn(draft), home, programs),
      );
    }
    requireSameVersion(files, programs);
  } catch (error) {
    throw describeFileError(error, files.folder);
  }
  return files;
}

async function fillDraft(draft: ClusterFiles, home: DataHome, programs: Programs): Promise<void> {
  chmodSync(draft.folder, 0o700);
  writeNewFile(draft.password, randomBytes(24).toString('base64url'), 0o600);
  if (home.user !== undefined) {
    const { uid, gid } = home.user;
    for (const path of [draft.password, draft.folder]) lchownSync(path, uid, gid);
  }
  await runInitdb(programs.folder, draft, home.user);
}

function requireSameVersion({ data, folder }: ClusterFiles, { version }: Programs): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  const expected = version.split('.')[0];
  if (found === expected) return;
  throw new EmbeddedPostgresError(
    `${folder} was made by PostgreSQL ${found} and this is PostgreSQL ${expected}; move the data over or set DATABASE_URL`,
  );
}

export function readPassword({ password }: ClusterFiles): string {
  try {
    return readFileSync(password, 'utf8').trim();
  } catch (error) {
    throw describeFileError(error, password);
  }
}
