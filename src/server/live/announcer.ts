import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { announceEveryMs, liveChannel, type Message, toPayload } from './message.ts';
import { throttleByKey } from './throttle.ts';

/** The time between two statements, ms. The first change after a quiet time is announced at once. */
const pauseMs = 50;

/** Notifies all server processes of changes, in the background. Its functions never fail. */
export interface Announcer {
  /** Announces that plants or readings of the account may have changed. Call it after the commit. */
  changed: (userId: string) => void;
  /** Announces that sessions of the account were deleted. Call it after the commit. */
  sessionsEnded: (userId: string) => void;
  /** Sends pending announcements now. Resolves when everything announced so far was sent or lost. */
  flush: () => Promise<void>;
}

/**
 * Announces by NOTIFY, in a statement of its own: PostgreSQL lets transactions that notify commit only one after
 * another. One statement runs at a time, and the next one sends everything that arrived meanwhile. So announcing uses
 * at most one connection of the pool, and few statements even if many accounts change.
 */
export function createAnnouncer({ pool }: Pick<Database, 'pool'>): Announcer {
  const waiting = new Set<string>();
  let sending: Promise<void> | null = null;
  let pause = new AbortController();

  function send(message: Message): void {
    waiting.add(toPayload(message));
    sending ??= sendWaiting().finally(() => {
      sending = null;
    });
  }

  async function sendWaiting(): Promise<void> {
    pause = new AbortController();
    while (waiting.size > 0) {
      const payloads = [...waiting];
      waiting.clear();
      // If an announcement is lost, clients get the change with their next regular pull.
      await notify(payloads).catch(() => undefined);
      await sleep(pauseMs, undefined, { signal: pause.signal, ref: false }).catch(() => undefined);
    }
  }

  async function notify(payloads: string[]): Promise<void> {
    await pool.query({
      name: 'announce',
      text: 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload',
      values: [liveChannel, payloads],
    });
  }

  const changed = throttleByKey(announceEveryMs, (userId) => send({ type: 'change', userId }));
  return {
    changed,
    sessionsEnded: (userId) => send({ type: 'sessions', userId }),
    flush: async () => {
      changed.flush();
      pause.abort();
      await sending;
    },
  };
}
