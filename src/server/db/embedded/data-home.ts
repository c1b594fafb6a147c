import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Account } from './account.ts';
import { syncPath } from './durable-files.ts';
import { inWords, unusable } from './embedded-postgres-error.ts';
import type { Machine } from './machine.ts';
import { rootHome } from './root-home.ts';

/** The folder that holds the cluster and whom PostgreSQL runs as there. */
export interface DataHome {
  folder: string;
  account: Account | undefined;
  notes: string[];
}

export function settleDataHome(dataDir: string, machine: Machine): DataHome {
  const asked = resolve(dataDir);
  try {
    const folder = makeFolder(asked);
    return machine.uid === 0
      ? rootHome(folder, machine)
      : { folder, account: undefined, notes: [] };
  } catch (error) {
    throw inWords(error, asked);
  }
}

function makeFolder(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const made = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (made !== undefined) syncPath(dirname(path));
  if (!statSync(path).isDirectory()) throw unusable(path, 'it is not a folder');
  return realpathSync(path);
}
