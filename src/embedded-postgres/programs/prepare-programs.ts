import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { DataHome } from '../cluster/cluster-files.ts';
import { canRead, type SystemUser } from '../cluster/system-user.ts';
import { createFolderAtomically, makeFolder, syncPath } from '../durable-files.ts';
import { describeFileError, EmbeddedPostgresError, errorCode } from '../embedded-postgres-error.ts';
import type { Machine, Programs } from './find-programs.ts';

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

/**
 * Copies the programs to `target` unless it exists; throws if other users can write to it. Returns the folder of the
 * programs.
 */
export async function copyPrograms(source: string, target: string, uid: number): Promise<string> {
  try {
    makeFolder(dirname(target));
    if (uid === 0) requireOwnFolder(dirname(target), uid);
    if (!existsSync(target))
      await createFolderAtomically(target, (draft) => fillCopy(source, draft));
  } catch (error) {
    throw describeFileError(error, target);
  }
  requireOwnFolder(target, uid);
  return join(target, 'native');
}

/** Throws if another user owns the folder or can write to it, because we would run programs put there by that user. */
function requireOwnFolder(folder: string, uid: number): void {
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) return;
  throw new EmbeddedPostgresError(
    `${folder} must be a folder that belongs to user ${uid} and that nobody else can write to; correct or remove it`,
  );
}

async function fillCopy(source: string, draft: string): Promise<void> {
  const native = join(draft, 'native');
  const filter = (path: string) => !path.endsWith('.a');
  await cp(source, native, { recursive: true, verbatimSymlinks: true, filter });
  makeReadable(draft);
  linkLibraries(native);
  syncTree(native);
}

/**
 * Sets the modes, because the installation may have used any umask: everybody may read this copy and only its owner may
 * write.
 */
function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadable(path);
    if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Without this, a power cut after the rename could leave a copy with empty files. */
function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    if (entry.isFile()) syncPath(path);
  }
  syncPath(folder);
}

interface LibraryLink {
  source: string;
  target: string;
}

/**
 * Creates the library links that the package's install script creates, because npm may be configured not to run it.
 * Returns false if one is missing and the folder is not writable.
 */
function linkLibraries(programs: string): boolean {
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
