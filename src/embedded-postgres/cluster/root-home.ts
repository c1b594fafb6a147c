import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresError } from '../embedded-postgres-error.ts';
import type { Machine } from '../programs/machine.ts';
import { shortHash } from '../programs/short-hash.ts';
import { type Account, canEnter, nobodyIn } from './account.ts';
import { clusterFiles } from './cluster-files.ts';
import type { DataHome } from './data-home.ts';
import { makeFolder } from './durable-files.ts';

/** Root's choice: an existing cluster stays where it is; a new one goes where nobody can reach it. */
export function rootHome(dataDir: string, machine: Machine): DataHome {
  const moved = join(machine.systemFolder, shortHash(dataDir));
  const owner = clusterOwner(dataDir);
  if (owner !== undefined) return { folder: openTo(owner, dataDir), account: owner, notes: [] };
  const movedOwner = clusterOwner(moved);
  if (movedOwner !== undefined) return movedHome(dataDir, moved, movedOwner);
  const nobody = findNobody();
  if (canEnter(nobody, dirname(dataDir))) {
    return { folder: openTo(nobody, dataDir), account: nobody, notes: [] };
  }
  return movedHome(dataDir, moved, nobody);
}

function movedHome(dataDir: string, moved: string, account: Account): DataHome {
  makeFolder(moved);
  const note = `The database lives in ${moved}: PostgreSQL does not run as root, and ${dataDir} is closed to other users.`;
  return { folder: openTo(account, moved), account, notes: [note] };
}

function clusterOwner(home: string): Account | undefined {
  const { folder } = clusterFiles(home);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.uid !== 0) return { uid: found.uid, gid: found.gid };
  // Root's own copy, for example a restored backup: hand it over whole.
  const nobody = findNobody();
  giveTree(folder, nobody);
  return nobody;
}

function findNobody(): Account {
  return nobodyIn(readFileSync('/etc/passwd', 'utf8'));
}

function giveTree(path: string, { uid, gid }: Account): void {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) giveTree(join(path, name), { uid, gid });
  }
  lchownSync(path, uid, gid);
}

/** Lets the account walk through the folder and no further: what else lies there stays root's. */
function openTo(account: Account, folder: string): string {
  if (canEnter(account, folder)) return folder;
  if (!canEnter(account, dirname(folder))) throw unreachable(account, folder);
  const { uid, mode } = statSync(folder);
  chownSync(folder, uid, account.gid);
  chmodSync(folder, (mode & 0o707) | 0o010);
  if (!canEnter(account, folder)) throw unreachable(account, folder);
  return folder;
}

function unreachable(account: Account, folder: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `PostgreSQL does not run as root and user ${account.uid} cannot reach ${folder}; open the folders above it, start as that user or set DATABASE_URL`,
  );
}
