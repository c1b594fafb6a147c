import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../durable-files.ts';
import {
  describeFileError,
  EmbeddedPostgresError,
  unusableFolder,
} from '../embedded-postgres-error.ts';
import type { Machine } from '../programs/find-programs.ts';
import { clusterFiles, type DataHome, shortHash } from './cluster-files.ts';
import { canEnter, nobodyIn, type SystemUser } from './system-user.ts';

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

/**
 * Where the cluster of a server that runs as root lives. An existing one stays where it is; a new one goes into dataDir
 * if the user nobody can reach it, otherwise below the system folder.
 */
function rootDataHome(dataDir: string, machine: Machine): DataHome {
  const moved = join(machine.systemFolder, shortHash(dataDir));
  const owner = clusterOwner(dataDir);
  if (owner !== undefined) return { folder: allowPassage(owner, dataDir), user: owner, notes: [] };
  const movedOwner = clusterOwner(moved);
  if (movedOwner !== undefined) return systemHome(dataDir, moved, movedOwner);
  const nobody = findNobody();
  if (canEnter(nobody, dirname(dataDir))) {
    return { folder: allowPassage(nobody, dataDir), user: nobody, notes: [] };
  }
  return systemHome(dataDir, moved, nobody);
}

function systemHome(dataDir: string, moved: string, user: SystemUser): DataHome {
  makeFolder(moved);
  const note = `The database lives in ${moved}: PostgreSQL does not run as root, and ${dataDir} is closed to other users.`;
  return { folder: allowPassage(user, moved), user, notes: [note] };
}

function clusterOwner(home: string): SystemUser | undefined {
  const { folder } = clusterFiles(home);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.uid !== 0) return { uid: found.uid, gid: found.gid };
  // The files belong to root, for example in a restored backup: change the owner of all of them.
  const nobody = findNobody();
  chownTree(folder, nobody);
  return nobody;
}

function findNobody(): SystemUser {
  return nobodyIn(readFileSync('/etc/passwd', 'utf8'));
}

function chownTree(path: string, { uid, gid }: SystemUser): void {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) chownTree(join(path, name), { uid, gid });
  }
  lchownSync(path, uid, gid);
}

/** Lets the user traverse the folder without reading it; its other contents stay accessible to root only. */
function allowPassage(user: SystemUser, folder: string): string {
  if (canEnter(user, folder)) return folder;
  if (!canEnter(user, dirname(folder))) throw unreachable(user, folder);
  const { uid, mode } = statSync(folder);
  chownSync(folder, uid, user.gid);
  chmodSync(folder, (mode & 0o707) | 0o010);
  if (!canEnter(user, folder)) throw unreachable(user, folder);
  return folder;
}

function unreachable(user: SystemUser, folder: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `PostgreSQL does not run as root and user ${user.uid} cannot reach ${folder}; open the folders above it, start as that user or set DATABASE_URL`,
  );
}
