import { EventEmitter, once } from 'node:events';
import type { Database } from '../database/database.ts';
import { transaction } from '../database/transaction.ts';
import type { Clock } from '../http/app-deps.ts';
import { reportFailure } from '../jobs/job.ts';
import { recordResult } from './channels/channel-result.ts';
import { type Resolve, sendNtfy } from './channels/ntfy.ts';
import type { SendResult } from './channels/post.ts';
import { sendPush } from './channels/push.ts';
import { markAccepted } from './check/claims.ts';
import {
  accountsToSend,
  claimDeliveries,
  type Delivery,
  deleteDelivery,
  postponeDelivery,
  releaseUnsent,
  resendToRenewed,
} from './deliveries.ts';
import type { ReminderOptions } from './options.ts';
import { serverKeys } from './server-keys.ts';
import { countSubscriptions, dropSubscription } from './subscriptions.ts';

export interface SenderOptions {
  db: Database;
  clock: Clock;
  publicUrl: () => string;
  reminders: ReminderOptions;
  /** Called with an error code, or with a channel and the status of its response, such as 'push 403'. */
  onFailure: (code: string) => void;
  /**
   * Timeout of a request. Must be shorter than the first retry delay, after which other processes send the message too.
   */
  timeoutMs?: number;
  /** Maximum number of requests in progress. Bounds the memory and the sockets. */
  maxRequests?: number;
  /**
   * Once a request has been in progress for this time, it may be aborted to start another one. This happens only while
   * `maxRequests` are in progress.
   */
  abortableAfterMs?: number;
  resolve?: Resolve;
}

export interface Sender {
  /**
   * Starts to send everything that is due. Waits for responses only while `maxRequests` are in progress. Never rejects.
   */
  run: (stopping?: AbortSignal) => Promise<void>;
  /** Resolves when no request is in progress. */
  whenIdle: () => Promise<void>;
  /** Aborts the requests in progress; their messages are sent again later. */
  abort: () => void;
}

const defaultTimeoutMs = 10_000;
const defaultRequests = 500;
/**
 * Longer than push services usually take (0.3 s). Even if each request takes 2 s, 500 of them at once are 250 a second,
 * about as many as a process can claim, because it runs one claim transaction after another.
 */
const defaultAbortableAfterMs = 2_000;
/** How many accounts are listed at once. */
const accountsAtOnce = 32;

interface RequestInProgress {
  /** ms of the process's monotonic clock. */
  begunAt: number;
  abort: () => void;
}

/**
 * Sends what is due, so that no account waits for the endpoints of others:
 *
 *   queued ── claimed ──▶ in progress ── response ────────────────────────▶ deleted, or queued for a retry
 *     ▲                        │ none after 10 s
 *     │                        │ none after 2 s, and its place is needed
 *     └── retry after 30 s ────┘
 *
 * A message is claimed only when its request may start at once. When there are as many requests as allowed, the one
 * that has been in progress longest is aborted for the next one.
 */
export function createSender(options: SenderOptions): Sender {
  const { db, clock, onFailure } = options;
  const { maxRequests = defaultRequests, abortableAfterMs = defaultAbortableAfterMs } = options;
  const { timeoutMs = defaultTimeoutMs } = options;
  let isAborted = false;
  /** Oldest first, because a Set keeps the order of insertion. */
  const inProgress = new Set<RequestInProgress>();
  /** Emits `end` after each request. */
  const requests = new EventEmitter();

  /** One controller per request. Node.js 20 may lose the timeout of a signal made by AbortSignal.any. */
  function begin(delivery: Delivery): void {
    const limit = new AbortController();
    const request = { begunAt: performance.now(), abort: () => limit.abort() };
    if (isAborted) request.abort();
    const timer = setTimeout(request.abort, timeoutMs);
    inProgress.add(request);
    void deliver(delivery, limit.signal)
      .catch((error: unknown) => reportFailure(options, error))
      .finally(() => {
        clearTimeout(timer);
        inProgress.delete(request);
        requests.emit('end');
      });
  }

  async function deliver(delivery: Delivery, signal: AbortSignal): Promise<void> {
    const result = await send(options, delivery, signal);
    // Aborted because the sender stops, not because of the service.
    if (isAborted && result.type === 'failed') return;
    await finish(options, delivery, result);
  }

  /**
   * Waits while `maxRequests` are in progress, and aborts the oldest one once it has taken `abortableAfterMs`. Resolves
   * to how many requests may start.
   */
  async function freePlaces(): Promise<number> {
    while (inProgress.size >= maxRequests) {
      const [longest] = inProgress;
      const abortableIn = (longest?.begunAt ?? 0) + abortableAfterMs - performance.now();
      const timer = setTimeout(() => longest?.abort(), abortableIn);
      await once(requests, 'end');
      clearTimeout(timer);
    }
    return maxRequests - inProgress.size;
  }

  async function run(stopping?: AbortSignal): Promise<void> {
    try {
      let isIdle = false;
      while (!isIdle && !stopping?.aborted) {
        isIdle = true;
        for (const userId of await accountsToSend(db, clock(), accountsAtOnce)) {
          const limit = await freePlaces();
          if (stopping?.aborted) return;
          const claimed = await claimDeliveries(db, { userId, now: clock(), limit });
          if (claimed.failure !== null) reportFailure(options, claimed.failure);
          claimed.deliveries.forEach(begin);
          if (!claimed.isIdle) isIdle = false;
        }
      }
    } catch (error) {
      reportFailure({ db, onFailure }, error);
    }
  }

  return {
    run,
    whenIdle: async () => {
      while (inProgress.size > 0) await once(requests, 'end');
    },
    abort: () => {
      isAborted = true;
      for (const request of inProgress) request.abort();
    },
  };
}

/** Sends one message now, without storing anything. */
export async function send(
  { db, clock, publicUrl, reminders, resolve }: Omit<SenderOptions, 'onFailure'>,
  { push, ntfyUrl, channel, message }: Pick<Delivery, 'push' | 'ntfyUrl' | 'channel' | 'message'>,
  signal: AbortSignal,
): Promise<SendResult> {
  const shared = { now: clock(), publicUrl: publicUrl(), signal, ...reminders };
  switch (channel) {
    case 'push': {
      if (!push) return { type: 'gone' };
      const { vapid } = await serverKeys(db);
      return await sendPush(message, push, { ...shared, vapid });
    }
    case 'ntfy':
      if (ntfyUrl === null) return { type: 'gone' };
      return await sendNtfy(message, ntfyUrl, { ...shared, ...(resolve && { resolve }) });
    // Emails have a queue of their own.
    case 'mail':
      return { type: 'gone' };
  }
}

/** Stores the result. A rejected digest is deleted; a rejected alert is retried, because the cause may be repaired. */
async function finish(
  options: SenderOptions,
  delivery: Delivery,
  result: SendResult,
): Promise<void> {
  const { db, clock, onFailure } = options;
  const { userId, channel } = delivery;
  const { kind, madeAt } = delivery.message;
  const state = { userId, channel, now: clock() };
  if (result.type === 'rejected') onFailure(`${channel} ${result.status ?? 'refused'}`);
  if (result.type === 'failed' || (result.type === 'rejected' && kind === 'alert')) {
    const pauseMs = result.type === 'failed' ? result.retryAfterMs : 0;
    const next = new Date(state.now.getTime() + pauseMs);
    // Otherwise the message was sent again meanwhile, perhaps to a new target, and that result counts.
    const isCurrent = await postponeDelivery(db, delivery, next);
    if (isCurrent) await recordResult(db.pool, state, result.problem);
    return;
  }
  if (result.type === 'accepted' && kind === 'alert' && madeAt !== undefined) {
    await markAccepted(db.pool, userId, { madeAt: new Date(madeAt), now: state.now });
  }
  if (result.type === 'gone' && (await resendToRenewed(db, delivery, state.now))) return;
  if (!(await deleteDelivery(db, delivery))) return;
  if (result.type === 'accepted') await recordResult(db.pool, state, null);
  if (result.type === 'gone' && channel === 'push') await forget(options, delivery, state.now);
  if (result.type === 'rejected') await recordResult(db.pool, state, result.problem);
}

/**
 * Deletes a subscription that the push service no longer knows. Nothing is deleted if the browser has already
 * unsubscribed or its session has ended. An alert that reached nobody and no longer waits to be sent is reported again;
 * if push is the only channel, once a browser is subscribed.
 */
async function forget(
  { db }: SenderOptions,
  { userId, channel, message, push }: Delivery,
  now: Date,
): Promise<void> {
  await transaction(db, async (tx) => {
    if (push) {
      await dropSubscription(tx, userId, push);
      const isLast = (await countSubscriptions(tx, userId, now)) === 0;
      if (isLast) await recordResult(tx.$client, { userId, channel, now }, goneProblem);
    }
    const { kind, madeAt } = message;
    if (kind === 'alert' && madeAt !== undefined) {
      await releaseUnsent(tx, userId, [new Date(madeAt)]);
    }
  });
}

export const goneProblem =
  'The browser has ended its subscription. Please turn notifications on there again';
