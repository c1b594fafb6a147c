import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { ClusterFiles } from '../cluster/cluster-files.ts';
import type { SystemUser } from '../cluster/system-user.ts';
import { describeFileError } from '../embedded-postgres-error.ts';
import { isPostmaster, pidReusedByAnother } from './live-postmaster.ts';
import { logSince, logSize, rotateLog } from './server-log.ts';
import { serverArguments } from './server-settings.ts';
import { prepareSocketFolder } from './socket-folder.ts';
import { spawnServer } from './spawn-server.ts';

export interface ServerPlace {
  files: ClusterFiles;
  programs: string;
  user: SystemUser | undefined;
}

/** A server that this process started and that stops when this process ends. */
export interface OwnServer {
  pid(): number | undefined;
  /** Whether the watchdog shell has exited; PostgreSQL itself may still run. */
  ended(): boolean;
  isRunning(): boolean;
  /** The log since its start, at most the last 4 KiB; if that is empty, the shell's error. */
  output(): string;
  /** Makes it shut down cleanly. */
  release(): void;
}

export function startOwnServer(place: ServerPlace, socketFolder: string): OwnServer {
  const { files } = place;
  prepareFiles(files);
  prepareSocketFolder(socketFolder, place.user);
  const logStart = logSize(files.log);
  const { pid, ended, shellError, release } = spawnServer({
    program: join(place.programs, 'bin/postgres'),
    args: serverArguments(files.data, socketFolder),
    log: files.log,
    folder: files.folder,
    user: place.user,
    reusedPid: pidReusedByAnother(files.data),
  });
  const isRunning = () => {
    const postmaster = pid();
    return !ended() || (postmaster !== undefined && isPostmaster(postmaster, files.data));
  };
  return {
    pid,
    ended,
    isRunning,
    release,
    output: () => logSince(files.log, logStart) || shellError(),
  };
}

function prepareFiles({ data, log }: ClusterFiles): void {
  try {
    accessSync(data, constants.W_OK);
    rotateLog(log);
  } catch (error) {
    throw describeFileError(error, data);
  }
}
