import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { Account } from '../cluster/account.ts';
import type { ClusterFiles } from '../cluster/cluster-files.ts';
import { inWords } from '../embedded-postgres-error.ts';
import { isPostmaster, pidReusedByAnother } from './live-postmaster.ts';
import { logSince, logSize, turnLog } from './server-log.ts';
import { serverArguments } from './server-settings.ts';
import { prepareSocketFolder } from './socket-folder.ts';
import { spawnServer } from './spawn-server.ts';

export interface ServerPlace {
  files: ClusterFiles;
  programs: string;
  account: Account | undefined;
}

/** A server that this process started and that ends with it. */
export interface OwnServer {
  pid(): number | undefined;
  /** It no longer runs, or runs on without the shell that watched it. */
  ended(): boolean;
  runs(): boolean;
  /** What it has written since it was started. */
  said(): string;
  letGo(): void;
}

export function startOwnServer(place: ServerPlace, socketFolder: string): OwnServer {
  const { files } = place;
  makeReady(files);
  prepareSocketFolder(socketFolder, place.account);
  const logStart = logSize(files.log);
  const { pid, ended, complaint, letGo } = spawnServer({
    program: join(place.programs, 'bin/postgres'),
    args: serverArguments(files.data, socketFolder),
    log: files.log,
    folder: files.folder,
    account: place.account,
    strangerPid: pidReusedByAnother(files.data),
  });
  const runs = () => {
    const number = pid();
    return !ended() || (number !== undefined && isPostmaster(number, files.data));
  };
  return { pid, ended, runs, letGo, said: () => logSince(files.log, logStart) || complaint() };
}

function makeReady({ data, log }: ClusterFiles): void {
  try {
    accessSync(data, constants.W_OK);
    turnLog(log);
  } catch (error) {
    throw inWords(error, data);
  }
}
