import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../support/seeded.ts';
import {
  create,
  type KnownPlant,
  log,
  type Sent,
  send,
  update,
  type Write,
  water,
} from './write.ts';

/** Each request of a writer adds a second to this time, so that the timestamps of its readings differ. */
const firstReading = Date.parse('2026-01-01T00:00:00.000Z');

/** Sends writes (plants, waterings, readings), one after the other, and records every request and response. */
export class Writer {
  readonly book: Write[] = [];
  readonly #name: string;
  readonly #random: Random;
  readonly #plants: KnownPlant[] = [];
  #count = 0;
  #paused = false;

  constructor(name: string, random: Random) {
    this.#name = name;
    this.#random = random;
  }

  get acknowledged(): number {
    return this.book.filter(({ response }) => response !== null).length;
  }

  /** Stops after the current response. */
  pause(): void {
    this.#paused = true;
  }

  /** Writes until it is paused or the server is killed. After a 503 it repeats the request with the same key. */
  async write(url: string, token: string): Promise<void> {
    this.#paused = false;
    while (!this.#paused) {
      const next = this.#next();
      this.book.push(next);
      const sent = await this.#insist(url, token, next);
      if (sent === null) return;
      this.#learn(next, sent);
    }
  }

  /** Repeats every request without a response, with its key. Resolves to their number. */
  async resendWithoutResponse(url: string, token: string): Promise<number> {
    const open = this.book.filter(({ response }) => response === null);
    for (const write of open) {
      const sent = await send(url, token, write);
      if (sent.status >= 300) throw new Error(`resent ${write.key}: ${sent.status} ${sent.body}`);
      this.#learn(write, sent);
    }
    return open.length;
  }

  /** Repeats a random request; its new response must be identical. Every request must have a response by now. */
  async resendWithResponse(url: string, token: string): Promise<void> {
    const write = this.#random.pick(this.book);
    const { status, body, replayed } = await send(url, token, write);
    const isSame = replayed && status === write.response?.status && body === write.response.body;
    if (!isSame) throw new Error(`repeated ${write.key}: ${status} ${body}`);
  }

  async #insist(url: string, token: string, next: Write): Promise<Sent | null> {
    for (;;) {
      const sent = await send(url, token, next).catch(nullIfDisconnected);
      if (sent === null) return null;
      if (sent.status < 300) return sent;
      if (sent.status !== 503) throw new Error(`${next.path}: ${sent.status} ${sent.body}`);
      await sleep(20);
    }
  }

  #next(): Write {
    this.#count += 1;
    const key = `${this.#name}-${this.#count}`;
    if (this.#plants.length === 0 || this.#random.chance(0.1)) return create(key, `plant-${key}`);
    const plant = this.#random.pick(this.#plants);
    const kind = this.#random.pick(['update', 'water', 'log'] as const);
    if (kind === 'update') return update(key, plant);
    if (kind === 'water') return water(key, plant, this.#count);
    return log(key, plant, new Date(firstReading + this.#count * 1000).toISOString());
  }

  #learn(write: Write, { status, body, etag }: Sent): void {
    write.response = { status, body };
    if (write.kind === 'log') return;
    const { id } = JSON.parse(body) as { id: string };
    const known = this.#plants.find((plant) => plant.id === id);
    if (known) known.etag = etag;
    else this.#plants.push({ name: write.plant, id, etag });
  }
}

/** Null for a broken or refused connection. Throws any other error. */
function nullIfDisconnected(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}
