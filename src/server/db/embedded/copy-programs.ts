import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { claimFolder, removeAbandoned } from './claimed-folder.ts';
import { syncPath } from './durable-files.ts';
import { EmbeddedPostgresError, inWords } from './embedded-postgres-error.ts';
import { linkLibraries } from './library-links.ts';

/** Copies the programs to `target` unless a trustworthy copy is there; answers the copy's folder. */
export async function copyPrograms(source: string, target: string, uid: number): Promise<string> {
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
    if (uid === 0) refuseForeign(dirname(target), uid);
    if (!existsSync(target)) await placeCopy(source, target);
  } catch (error) {
    throw inWords(error, target);
  }
  refuseForeign(target, uid);
  return join(target, 'native');
}

/** What somebody else can write to could make us run their program. */
function refuseForeign(folder: string, uid: number): void {
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) return;
  throw new EmbeddedPostgresError(
    `${folder} must be a folder that belongs to user ${uid} and that nobody else can write to; mend or remove it`,
  );
}

async function placeCopy(source: string, target: string): Promise<void> {
  removeAbandoned(target);
  const draft = claimFolder(target);
  const native = join(draft, 'native');
  const filter = (path: string) => !path.endsWith('.a');
  await cp(source, native, { recursive: true, verbatimSymlinks: true, filter });
  linkLibraries(native);
  settle(draft);
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  syncPath(dirname(target));
}

/** Readable by all whatever the umask of the installation was, and on disk before the rename. */
function settle(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) settle(path);
    if (!entry.isFile()) continue;
    chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
    syncPath(path);
  }
  syncPath(folder);
}
