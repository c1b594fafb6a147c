import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase, Connection, Submittable } from 'pg';
import { sourceError } from './transfer-error.ts';

/** What the driver's connection can do beside what its types print. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

type Done = (error?: Error | null) => void;

/** Streams what one COPY gives into another, as fast as the slower takes it; keeps no more than a few packets. */
export async function copyAcross(
  from: { client: ClientBase; statement: string },
  to: { client: ClientBase; statement: string },
): Promise<void> {
  await pipeline(
    from.client.query(new CopyOut(from.statement)),
    to.client.query(new CopyIn(to.statement)),
  );
}

/** The rows of a COPY … TO STDOUT. The driver calls the methods that begin with handle. */
class CopyOut extends Readable implements Submittable {
  readonly #statement: string;
  #socket: Connection['stream'] | undefined;

  constructor(statement: string) {
    super();
    this.#statement = statement;
  }

  submit(connection: Connection): void {
    this.#socket = connection.stream;
    connection.query(this.#statement);
  }

  override _read(): void {
    this.#socket?.resume();
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.destroyed) return;
    // A copy, because the driver reads the next packet into the same memory.
    if (!this.push(Buffer.from(chunk))) this.#socket?.pause();
  }

  handleCommandComplete(): void {
    this.push(null);
  }

  handleReadyForQuery(): void {
    // The rows have ended a message before.
  }

  /** The socket may stand still at the last rows; what follows them makes the connection free again. */
  override _destroy(error: Error | null, done: Done): void {
    this.#socket?.resume();
    done(error);
  }

  handleError(error: Error): void {
    this.destroy(sourceError(error));
  }
}

/** Takes the rows of a COPY … FROM STDIN; it has finished once PostgreSQL has stored them all. */
class CopyIn extends Writable implements Submittable {
  readonly #statement: string;
  #connection: CopyConnection | undefined;
  #opened: Done | undefined;
  #stored: Done | undefined;

  constructor(statement: string) {
    super();
    this.#statement = statement;
  }

  submit(connection: Connection): void {
    this.#connection = connection as CopyConnection;
    connection.query(this.#statement);
  }

  override _construct(done: Done): void {
    this.#opened = done;
  }

  handleCopyInResponse(): void {
    this.#opened?.();
    this.#opened = undefined;
  }

  override _writev(rows: { chunk: Buffer }[], done: Done): void {
    this.#connection?.sendCopyFromChunk(Buffer.concat(rows.map(({ chunk }) => chunk)));
    const socket = this.#connection?.stream;
    if (socket?.writableNeedDrain) socket.once('drain', () => done());
    else done();
  }

  override _final(done: Done): void {
    this.#stored = done;
    this.#connection?.endCopyFrom();
  }

  handleCommandComplete(): void {
    // The connection is free for the next statement only a message later.
  }

  handleReadyForQuery(): void {
    this.#stored?.();
  }

  handleError(error: Error): void {
    // A stream that is still being opened is not destroyed before that has ended.
    this.#opened?.(error);
    this.destroy(error);
  }
}
