import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder, syncPath, writeNewFile } from '../durable-files.ts';
import {
  describeFileError,
  EmbeddedPostgresError,
  errorCode,
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
    const dataDir = realpathSync(requested);
    return machine.uid === 0 ? rootDataHome(dataDir, machine) : ownDataHome(dataDir);
  } catch (error) {
    throw describeFileError(error, requested);
  }
}

/**
 * The folder that contains the cluster of a data folder, or undefined if there is none. Throws if a recorded cluster is
 * missing. Changes nothing.
 */
export function findDataHome(dataDir: string, machine: Machine): string | undefined {
  const requested = resolve(dataDir);
  if (!existsSync(requested)) return undefined;
  try {
    const dataDir = realpathSync(requested);
    if (hasCluster(dataDir)) return dataDir;
    const recorded = recordedHome(dataDir);
    if (recorded !== undefined || machine.uid !== 0) return recorded;
    const moved = systemFolderOf(dataDir, machine);
    return hasCluster(moved) ? moved : undefined;
  } catch (error) {
    throw describeFileError(error, requested);
  }
}

function systemFolderOf(dataDir: string, { systemFolder }: Machine): string {
  return join(systemFolder, shortHash(dataDir));
}

/** Where the cluster is if this process does not run as root. PostgreSQL then runs as the same user. */
function ownDataHome(dataDir: string): DataHome {
  const moved = existsSync(clusterFiles(dataDir).folder) ? undefined : recordedHome(dataDir);
  const notes = moved === undefined ? [] : [systemNote(moved)];
  return { folder: moved ?? dataDir, user: undefined, notes };
}

/**
 * If this process runs as root: where the cluster is, and as which user PostgreSQL runs. An existing cluster stays
 * where it is; a new one goes into dataDir if the user nobody can reach it, otherwise below the system folder.
 */
function rootDataHome(dataDir: string, machine: Machine): DataHome {
  const owner = clusterOwner(dataDir);
  if (owner !== undefined) return { folder: allowPassage(owner, dataDir), user: owner, notes: [] };
  const moved = recordedHome(dataDir) ?? systemFolderOf(dataDir, machine);
  const movedOwner = clusterOwner(moved);
  if (movedOwner !== undefined) return systemHome(moved, movedOwner);
  const nobody = findNobody();
  if (canEnter(nobody, dirname(dataDir))) {
    return { folder: allowPassage(nobody, dataDir), user: nobody, notes: [] };
  }
  return systemHome(moved, nobody);
}

function systemHome(moved: string, user: SystemUser): DataHome {
  makeFolder(moved);
  return { folder: allowPassage(user, moved), user, notes: [systemNote(moved)] };
}

function systemNote(moved: string): string {
  return `The database is stored in ${moved}, because PostgreSQL does not run as root and its user could not enter the data folder.`;
}

/** The file in a data folder that names the folder of its cluster, if that is elsewhere. backup.sh reads it too. */
function recordOf(dataDir: string): string {
  return join(dataDir, 'database-folder');
}

/**
 * Records in the data folder where its cluster is, if that is elsewhere, so that the cluster is found even after the
 * data folder was moved. Call it only after the cluster was created, because a record without a cluster is an error.
 */
export function recordHome(dataDir: string, { folder }: DataHome): void {
  try {
    const record = recordOf(realpathSync(resolve(dataDir)));
    if (folder === dirname(record) || existsSync(record)) return;
    writeNewFile(record, `${folder}\n`, 0o644);
    syncPath(dirname(record));
  } catch (error) {
    // Another process that starts at the same time has written it.
    if (errorCode(error) !== 'EEXIST') throw describeFileError(error, dataDir);
  }
}

/** Throws if the cluster is not there any more, because an empty new one would look like lost plants. */
function recordedHome(dataDir: string): string | undefined {
  const record = recordOf(dataDir);
  if (!existsSync(record)) return undefined;
  const home = readFileSync(record, 'utf8').trim();
  if (hasCluster(home)) return home;
  throw new EmbeddedPostgresError(
    `The database of ${dataDir} was in ${home} and is not there; restore it, or remove ${record} to begin with an empty one`,
  );
}

function hasCluster(home: string): boolean {
  const { folder } = clusterFiles(home);
  try {
    return lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw describeFileError(error, folder);
  }
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

/**
 * Lets the user's group traverse the folder without listing it. Other files in it are protected only by their own
 * modes.
 */
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
