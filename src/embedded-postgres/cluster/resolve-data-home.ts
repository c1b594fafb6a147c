import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeFolder } from '../durable-files.ts';
import { describeFileError, unusableFolder } from '../embedded-postgres-error.ts';
import type { Machine } from '../programs/machine.ts';
import type { DataHome } from './cluster-files.ts';
import { rootDataHome } from './root-home.ts';

/** Creates the data folder if needed and decides where the cluster lives and which user PostgreSQL runs as. */
export function resolveDataHome(dataDir: string, machine: Machine): DataHome {
  const requested = resolve(dataDir);
  try {
    makeFolder(requested, 0o700);
    if (!statSync(requested).isDirectory()) throw unusableFolder(requested, 'it is not a folder');
    const folder = realpathSync(requested);
    return machine.uid === 0
      ? rootDataHome(folder, machine)
      : { folder, user: undefined, notes: [] };
  } catch (error) {
    throw describeFileError(error, requested);
  }
}
