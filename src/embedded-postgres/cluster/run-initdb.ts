import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { diskProblem, EmbeddedPostgresError, unusableFolder } from '../embedded-postgres-error.ts';
import { databaseRole, serverEnvironment } from '../process/server-settings.ts';
import type { ClusterFiles } from './cluster-files.ts';
import { runAs, type SystemUser } from './system-user.ts';

export async function runInitdb(
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
    `The database could not be created: ${reason || 'initdb ended without a word'}; mend that or set DATABASE_URL`,
  );
}
