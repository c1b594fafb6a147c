import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Machine, thisMachine } from '#embedded-postgres/programs/find-programs.ts';
import { temporaryFolder } from './data-folder.ts';

export interface InstalledPackage {
  folder: string;
  links: string[];
  machine: Machine;
}

/** A copy of the package as npm leaves it when it runs no install scripts: without library links. */
export function packageWithoutLinks(): InstalledPackage {
  const { platform, arch, findPackage } = thisMachine();
  const folder = join(temporaryFolder(), 'package');
  const filter = (path: string) => !path.endsWith('.a');
  const source = findPackage(`@embedded-postgres/${platform}-${arch}`);
  cpSync(source, folder, { recursive: true, verbatimSymlinks: true, filter });
  const list: { target: string }[] = JSON.parse(
    readFileSync(join(folder, 'native/pg-symlinks.json'), 'utf8'),
  );
  const links = list.map(({ target }) => join(folder, target));
  for (const link of links) rmSync(link, { force: true });
  return { folder, links, machine: { ...thisMachine(), findPackage: () => folder } };
}
