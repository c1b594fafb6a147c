import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, lchownSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolderAtomically, removeAbandonedDrafts, writeNewFile } from '../durable-files.ts';
import {
  describeFileError,
  diskProblem,
  EmbeddedPostgresError,
  unusableFolder,
} from '../embedded-postgres-error.ts';
import { databaseRole, serverEnvironment } from '../process/server-settings.ts';
import type { Programs } from '../programs/find-programs.ts';
import { type ClusterFiles, clusterFiles, type DataHome, filesIn } from './cluster-files.ts';
import { runAs, type SystemUser } from './system-user.ts';

/**
 * Creates the cluster if it does not exist; processes that start together end up with the same one. Throws if it was
 * created by another major version.
 */
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
    `${folder} was created by PostgreSQL ${found} and this is PostgreSQL ${expected}; move the data over or set DATABASE_URL`,
  );
}

export function readPassword({ password }: ClusterFiles): string {
  try {
    return readFileSync(password, 'utf8').trim();
  } catch (error) {
    throw describeFileError(error, password);
  }
}

async function runInitdb(
  programs: string,
  files: ClusterFiles,
  user: SystemUser | undefined,
): Promise<void> {
  const child = spawn(join(programs, 'bin/initdb'), initdbArguments(files), {
    ...runAs(user),
    cwd: files.folder,
    env: serverEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close').catch((error: unknown) => {
    throw notRunnable(programs, error);
  });
  if (code !== 0) throw initdbFailure(output, dirname(files.folder));
}

function initdbArguments(files: ClusterFiles): string[] {
  return [
    `--pgdata=${files.data}`,
    `--username=${databaseRole}`,
    `--pwfile=${files.password}`,
    '--auth-local=scram-sha-256',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
    // The built-in provider sorts the same on every system, independent of its C library.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
}

function notRunnable(programs: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The PostgreSQL programs in ${programs} cannot be run (${(cause as Error).message}); set DATABASE_URL`,
    { cause },
  );
}

function initdbFailure(output: string, folder: string): EmbeddedPostgresError {
  const problem = diskProblem(output);
  if (problem !== undefined) return unusableFolder(folder, problem);
  const lines = output.trim().split('\n');
  const reason = lines.find((line) => /error:|FATAL:/.test(line)) ?? lines.at(-1);
  return new EmbeddedPostgresError(
    `The database could not be created: ${reason || 'initdb ended without a message'}; solve this or set DATABASE_URL`,
  );
}
