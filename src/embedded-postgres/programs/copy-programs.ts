import { chmodSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolderAtomically, makeFolder, syncPath } from '../durable-files.ts';
import { describeFileError, EmbeddedPostgresError } from '../embedded-postgres-error.ts';
import { linkLibraries } from './library-links.ts';

/** Copies the programs to `target` unless a trustworthy copy exists; returns the copy's folder. */
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

/** A folder that somebody else can write to could make us run their program. */
function requireOwnFolder(folder: string, uid: number): void {
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) return;
  throw new EmbeddedPostgresError(
    `${folder} must be a folder that belongs to user ${uid} and that nobody else can write to; mend or remove it`,
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

/** The installation may have used any umask; everybody may read this copy and only its owner may write. */
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
