import { join } from 'node:path';
import type { DataHome } from '../cluster/cluster-files.ts';
import { canRead, type SystemUser } from '../cluster/system-user.ts';
import { copyPrograms } from './copy-programs.ts';
import type { Programs } from './find-programs.ts';
import { linkLibraries } from './library-links.ts';
import type { Machine } from './machine.ts';

/** The installed programs if they can be run in place, otherwise a copy of them. */
export async function preparePrograms(
  installed: Programs,
  machine: Machine,
  home: DataHome,
): Promise<Programs> {
  const { folder, version } = installed;
  if (isReachable(folder, home.user) && linkLibraries(folder)) return installed;
  const place = home.user === undefined ? home.folder : machine.systemFolder;
  const target = join(place, `postgres-${version}`);
  return { folder: await copyPrograms(folder, target, machine.uid ?? 0), version };
}

function isReachable(folder: string, user: SystemUser | undefined): boolean {
  if (user === undefined) return true;
  const samples = ['bin/initdb', 'bin/postgres', 'share/postgresql/postgres.bki'];
  return canRead(
    user,
    samples.map((name) => join(folder, name)),
  );
}
