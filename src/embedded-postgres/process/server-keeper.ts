import { existsSync, rmdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { answers, type Connection, connectionTo } from '../app-database.ts';
import { readPassword } from '../cluster/init-cluster.ts';
import { EmbeddedPostgresError } from '../embedded-postgres-error.ts';
import { livePostmaster, type Postmaster } from './live-postmaster.ts';
import { type OwnServer, type ServerPlace, startOwnServer } from './own-server.ts';
import { logSince } from './server-log.ts';
import { socketFile } from './socket-folder.ts';
import { isPassing, startFailure, startTimeout } from './start-failure.ts';

const patienceSeconds = 60;
const pollMs = 20;
const retryMs = 200;

/** Keeps one cluster served: by the server that runs already, else by one of its own. */
export class ServerKeeper {
  readonly #place: ServerPlace;
  readonly #password: string;
  #socketFolder: string;
  #own: OwnServer | undefined;
  #startSettled = false;
  #retryAt = 0;
  #servingPid: number | undefined;
  #attempt: Promise<void> | undefined;
  #stopped = false;

  constructor(place: ServerPlace, socketFolder: string) {
    this.#place = place;
    this.#password = readPassword(place.files);
    this.#socketFolder = socketFolder;
  }

  get connection(): Connection {
    return connectionTo(this.#socketFolder, this.#password);
  }

  get adopted(): boolean {
    return this.#servingPid !== this.#own?.pid();
  }

  ensureRunning(): Promise<void> {
    this.#attempt ??= this.#bringUp().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#attempt?.catch(() => undefined);
    const own = this.#own;
    own?.letGo();
    const deadline = performance.now() + patienceSeconds * 1000;
    while (own?.runs() && performance.now() < deadline) await sleep(pollMs);
    removeIfEmpty(this.#socketFolder);
  }

  async #bringUp(): Promise<void> {
    const deadline = performance.now() + patienceSeconds * 1000;
    while (!(await this.#serves())) {
      if (performance.now() > deadline) throw this.#tooLate();
      await sleep(pollMs);
    }
  }

  async #serves(): Promise<boolean> {
    if (this.#stopped) throw new EmbeddedPostgresError('The built-in PostgreSQL was stopped');
    const found = livePostmaster(this.#place.files.data);
    if (found === undefined) this.#start();
    if (!found?.ready || !this.#canReach(found) || !(await answers(this.connection))) return false;
    this.#servingPid = found.pid;
    this.#startSettled = true;
    return true;
  }

  #start(): void {
    if (performance.now() < this.#retryAt) return;
    if (this.#own?.ended() === false) return;
    if (this.#own !== undefined && !this.#startSettled) this.#judge(this.#own);
    this.#retryAt = performance.now() + retryMs;
    this.#startSettled = false;
    this.#own = startOwnServer(this.#place, this.#socketFolder);
  }

  /** Gives up a start that failed for good; asked again later, it is tried anew. */
  #judge(own: OwnServer): void {
    const said = own.said();
    if (isPassing(said)) return;
    this.#own = undefined;
    throw startFailure(this.#place.files, said);
  }

  /** A cleaning of the temporary files may have swept the socket away from under the server. */
  #canReach(found: Postmaster): boolean {
    if (this.#servingPid === undefined) this.#socketFolder = found.socketFolder;
    const same = found.socketFolder === this.#socketFolder;
    if (same && existsSync(socketFile(this.#socketFolder))) return true;
    if (found.pid === this.#own?.pid()) {
      this.#own.letGo();
      return false;
    }
    if (!livePostmaster(this.#place.files.data)?.ready) return false;
    throw new EmbeddedPostgresError(
      `PostgreSQL runs (process ${found.pid}) but not on the socket in ${this.#socketFolder}; stop the program that started it and start again`,
    );
  }

  #tooLate(): EmbeddedPostgresError {
    const { files } = this.#place;
    const said = this.#own?.said() ?? logSince(files.log, 0);
    return startTimeout(files, patienceSeconds, said);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Another process's server uses it, or a cleaning came first.
  }
}
