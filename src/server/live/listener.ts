import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../database/database.ts';
import { fromPayload, liveChannel, type Message, toPayload } from './message.ts';

export interface Listener {
  /**
   * Starts listening if necessary. Waits for the first attempt to connect, then resolves to whether it is listening.
   */
  ready: () => Promise<boolean>;
  stop: () => Promise<void>;
}

export interface ListenerOptions {
  db: Database;
  onMessage: (message: Message) => void;
  /** Called when it listens again; messages may have been missed. */
  onRestored: () => void;
  /** Called when it could not connect for several seconds. */
  onUnavailable: () => void;
}

const firstRetryMs = 100;
const longestRetryMs = 10_000;
/**
 * After this many failures `onUnavailable` is called. The pauses between them (100 ms, doubled each time) take 3.1 s in
 * total.
 */
const failuresUntilUnavailable = 6;
const connectTimeoutMs = 5_000;
const probeEveryMs = 30_000;
const probeTimeoutMs = 10_000;

/**
 * Listens on a connection of its own, outside the pool. Probes it with notifications to itself, because TCP may not
 * report a connection that the network has dropped, and a pooler in transaction mode accepts LISTEN but delivers
 * nothing.
 */
export function createListener(options: ListenerOptions): Listener {
  const { db, onMessage, onRestored, onUnavailable } = options;
  const stopping = new AbortController();
  let isListening = false;
  let hasListened = false;
  let failures = 0;
  let firstAttempt: Promise<void> | null = null;
  let running = Promise.resolve();

  function connected(): void {
    isListening = true;
    failures = 0;
    if (hasListened) onRestored();
    hasListened = true;
  }

  /** Listens until the connection is lost or `stop` is called. Always rejects. */
  async function listen(onConnected: () => void): Promise<never> {
    const client = new pg.Client(connectionOf(db.pool));
    const over = new AbortController();
    const end = () => over.abort();
    client.on('error', end).on('end', end);
    stopping.signal.addEventListener('abort', end);
    client.on('notification', ({ payload = '' }) => {
      const message = fromPayload(payload);
      if (message && message.type !== 'probe') onMessage(message);
    });
    try {
      // Every wait has a limit, because a lost connection, or one that cannot be made, may never report an error.
      await withTimeout(connectTimeoutMs, over.signal, client.connect());
      await withTimeout(connectTimeoutMs, over.signal, client.query(`LISTEN ${liveChannel}`));
      const probe = prober(client);
      await withTimeout(probeTimeoutMs, over.signal, probe());
      onConnected();
      for (;;) {
        await sleep(probeEveryMs, undefined, { signal: over.signal });
        await withTimeout(probeTimeoutMs, over.signal, probe());
      }
    } finally {
      stopping.signal.removeEventListener('abort', end);
      // Not awaited, because it never resolves over a lost connection.
      client.end().catch(() => undefined);
    }
  }

  async function attempt(onConnected: () => void): Promise<void> {
    try {
      await listen(onConnected);
    } catch {
      isListening = false;
      if (stopping.signal.aborted) return;
      failures += 1;
      db.recover();
      if (failures === failuresUntilUnavailable) onUnavailable();
    }
  }

  async function run(onFirstAttempt: () => void): Promise<void> {
    while (!stopping.signal.aborted) {
      await attempt(() => {
        connected();
        onFirstAttempt();
      });
      onFirstAttempt();
      const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1));
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    ready: async () => {
      firstAttempt ??= new Promise((resolve) => {
        running = run(resolve);
      });
      await firstAttempt;
      return isListening;
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** The pool's options. Its password is not enumerable, so a spread alone would lose it. */
function connectionOf({ options }: pg.Pool): pg.ClientConfig {
  return { ...options, password: options.password, keepAlive: true };
}

/** Returns a function that sends a notification to this connection itself and resolves when it has arrived. */
function prober(client: pg.Client): () => Promise<unknown> {
  const payload = toPayload({ type: 'probe', id: randomUUID() });
  let onArrived: (() => void) | null = null;
  client.on('notification', (notification) => {
    if (notification.payload === payload) onArrived?.();
  });
  return () => {
    const arrived = new Promise<void>((resolve) => {
      onArrived = resolve;
    });
    return Promise.all([client.query('SELECT pg_notify($1, $2)', [liveChannel, payload]), arrived]);
  };
}

/** Rejects when the work takes too long or the signal aborts. */
async function withTimeout(ms: number, signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  const timeout = sleep(ms, 'late' as const, { signal, ref: false });
  if ((await Promise.race([work, timeout])) === 'late') throw new Error('The database is silent');
}
