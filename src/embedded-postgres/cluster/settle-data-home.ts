import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { inWords, unusable } from '../embedded-postgres-error.ts';
import type { Machine } from '../programs/machine.ts';
import type { DataHome } from './data-home.ts';
import { makeFolder } from './durable-files.ts';
import { rootHome } from './root-home.ts';

export function settleDataHome(dataDir: string, machine: Machine): DataHome {
  const asked = resolve(dataDir);
  try {
    makeFolder(asked, 0o700);
    if (!statSync(asked).isDirectory()) throw unusable(asked, 'it is not a folder');
    const folder = realpathSync(asked);
    return machine.uid === 0
      ? rootHome(folder, machine)
      : { folder, account: undefined, notes: [] };
  } catch (error) {
    throw inWords(error, asked);
  }
}
