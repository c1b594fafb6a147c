import { existsSync, rmdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptsQueries, type Connection, connectionTo } from '../app-database.ts';
import { readPassword } from '../cluster/ensure-cluster.ts';
import { EmbeddedPostgresError } from '../embedded-postgres-error.ts';
import { livePostmaster, type Postmaster } from './live-postmaster.ts';
import { type OwnServer, type ServerPlace, startOwnServer } from './own-server.ts';
import { diskFailure, isTransient, logSince, startFailure, startTimeout } from './server-log.ts';
import { socketFile } from './socket-folder.ts';

const timeoutSeconds = 60;
const pollMs = 20;
const retryMs = 200;

/** Keeps a server running for one cluster: adopts the one that runs already, otherwise starts one. */
export class ServerSupervisor {
  readonly #place: ServerPlace;
  readonly #password: string;
  #socketFolder: string;
  #own: OwnServer | undefined;
  #hasStarted = false;
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
    this.#attempt ??= this.#waitUntilServing().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#attempt?.catch(() => undefined);
    const own = this.#own;
    own?.release();
    const deadline = performance.now() + timeoutSeconds * 1000;
    while (own?.isRunning() && performance.now() < deadline) await sleep(pollMs);
    removeIfEmpty(this.#socketFolder);
  }

  /** The problem with the disk that the server of this process has reported as fatal. */
  diskFailure(): EmbeddedPostgresError | undefined {
    return diskFailure(this.#place.files, this.#own?.output() ?? '');
  }

  async #waitUntilServing(): Promise<void> {
    const deadline = performance.now() + timeoutSeconds * 1000;
    while (!(await this.#isServing())) {
      if (performance.now() > deadline) throw this.#timeout();
      await sleep(pollMs);
    }
  }

  async #isServing(): Promise<boolean> {
    if (this.#stopped) throw new EmbeddedPostgresError('The built-in PostgreSQL was stopped');
    const found = livePostmaster(this.#place.files.data);
    if (found === undefined) this.#start();
    if (!found?.ready || !this.#canReach(found) || !(await acceptsQueries(this.connection)))
      return false;
    this.#servingPid = found.pid;
    this.#hasStarted = true;
    return true;
  }

  #start(): void {
    if (performance.now() < this.#retryAt) return;
    if (this.#own?.ended() === false) return;
    if (this.#own !== undefined && !this.#hasStarted) this.#throwIfPermanent(this.#own);
    this.#retryAt = performance.now() + retryMs;
    this.#hasStarted = false;
    this.#own = startOwnServer(this.#place, this.#socketFolder);
  }

  /** Throws if the start failed for a permanent reason. A later ensureRunning() tries again. */
  #throwIfPermanent(own: OwnServer): void {
    const output = own.output();
    if (isTransient(output)) return;
    this.#own = undefined;
    throw startFailure(this.#place.files, output);
  }

  /**
   * Whether the server's socket exists. If the socket of our own server was deleted, for example by a cleanup of
   * temporary files, stops that server, so that a later poll starts it again. Throws if the server of another process
   * is ready but has no socket here.
   */
  #canReach(found: Postmaster): boolean {
    if (this.#servingPid === undefined) this.#socketFolder = found.socketFolder;
    const same = found.socketFolder === this.#socketFolder;
    if (same && existsSync(socketFile(this.#socketFolder))) return true;
    if (found.pid === this.#own?.pid()) {
      this.#own.release();
      return false;
    }
    if (!livePostmaster(this.#place.files.data)?.ready) return false;
    throw new EmbeddedPostgresError(
      `PostgreSQL runs (process ${found.pid}) but not on the socket in ${this.#socketFolder}; stop the program that started it and start again`,
    );
  }

  #timeout(): EmbeddedPostgresError {
    const { files } = this.#place;
    const output = this.#own?.output() ?? logSince(files.log, 0);
    return startTimeout(files, timeoutSeconds, output);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is not empty, because the server of another process uses it, or it has been removed already.
  }
}
