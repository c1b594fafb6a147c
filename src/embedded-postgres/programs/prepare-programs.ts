import { join } from 'node:path';
import { type Account, canRead } from '../cluster/account.ts';
import type { DataHome } from '../cluster/data-home.ts';
import { copyPrograms } from './copy-programs.ts';
import type { Programs } from './find-programs.ts';
import { linkLibraries } from './library-links.ts';
import type { Machine } from './machine.ts';

/** The installed programs where they can be run in place, else a copy of them. */
export async function preparePrograms(
  installed: Programs,
  machine: Machine,
  home: DataHome,
): Promise<Programs> {
  const { folder, version } = installed;
  if (isReachable(folder, home.account) && linkLibraries(folder)) return installed;
  const place = home.account === undefined ? home.folder : machine.systemFolder;
  const target = join(place, `postgres-${version}`);
  return { folder: await copyPrograms(folder, target, machine.uid ?? 0), version };
}

function isReachable(folder: string, account: Account | undefined): boolean {
  if (account === undefined) return true;
  const samples = ['bin/initdb', 'bin/postgres', 'share/postgresql/postgres.bki'];
  return canRead(
    account,
    samples.map((name) => join(folder, name)),
  );
}
