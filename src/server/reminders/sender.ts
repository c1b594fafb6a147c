import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import { isConnectionLost } from '../database/lost-connections.ts';
import { transaction } from '../database/transaction.ts';
import type { Clock } from '../http/app-deps.ts';
import { recordResult } from './channels/channel-state.ts';
import { type Resolve, sendNtfy } from './channels/ntfy.ts';
import { sendPush } from './channels/push.ts';
import type { SendResult } from './channels/send-result.ts';
import { codeOf } from './check/check-job.ts';
import {
  accountsToSend,
  claimDeliveries,
  type Delivery,
  deleteDelivery,
  postponeDelivery,
} from './deliveries.ts';
import type { ReminderOptions } from './options.ts';
import { serverKeys } from './server-keys.ts';
import { countSubscriptions, dropSubscription } from './subscriptions.ts';

export interface SenderOptions {
  db: Database;
  clock: Clock;
  publicUrl: () => string;
  reminders: ReminderOptions;
  /** Called with an error code, or a channel and the status of a response. */
  onFailure: (code: string) => void;
  /**
   * Timeout of a request. Must be shorter than the first retry delay, after which other processes send the message too.
   */
  timeoutMs?: number;
  /** Maximum number of requests in progress, apart from slow ones. */
  maxParallel?: number;
  /** After this time a request is slow: another one may begin beside it. */
  slowMs?: number;
  resolve?: Resolve;
}

export interface Sender {
  /** Starts to send everything that is due, without waiting for the responses. Never rejects. */
  run: (stopping?: AbortSignal) => Promise<void>;
  /** Resolves when no request is in progress. */
  whenIdle: () => Promise<void>;
  /** Aborts the requests in progress; their messages are sent again later. */
  abort: () => void;
}

const defaultTimeoutMs = 10_000;
const defaultParallel = 32;
const defaultSlowMs = 1_000;
/** Slow requests included. Bounds the memory and the sockets. */
const maxUnderWay = 1_000;

export function createSender(options: SenderOptions): Sender {
  const { db, clock, onFailure, maxParallel = defaultParallel, slowMs = defaultSlowMs } = options;
  const aborting = new AbortController();
  const underWay = new Set<Promise<void>>();
  /** Each resolves when its request has ended or is slow. */
  const places = new Set<Promise<void>>();

  function begin(delivery: Delivery): void {
    const sending = deliver(options, delivery, aborting.signal)
      .catch((error: unknown) => report(options, error))
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
    const place = endOrSlow(sending, slowMs).finally(() => places.delete(place));
    places.add(place);
  }

  /** Waits until further requests may start; resolves to their number. Slow requests hardly delay the others. */
  async function freePlaces(): Promise<number> {
    while (places.size >= maxParallel) await Promise.race(places);
    while (underWay.size >= maxUnderWay) await Promise.race(underWay);
    return maxParallel - places.size;
  }

  async function run(stopping?: AbortSignal): Promise<void> {
    try {
      let claimed = 1;
      while (claimed > 0 && !stopping?.aborted) {
        claimed = 0;
        for (const userId of await accountsToSend(db, clock(), maxParallel)) {
          if (stopping?.aborted) return;
          const limit = await freePlaces();
          const deliveries = await claimDeliveries(db, { userId, now: clock(), limit });
          deliveries.forEach(begin);
          claimed += deliveries.length;
        }
      }
    } catch (error) {
      report({ db, onFailure }, error);
    }
  }

  return {
    run,
    whenIdle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    abort: () => aborting.abort(),
  };
}

async function endOrSlow(sending: Promise<void>, slowMs: number): Promise<void> {
  const waiting = new AbortController();
  const slow = sleep(slowMs, undefined, { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([sending, slow]);
  waiting.abort();
}

function report({ db, onFailure }: Pick<SenderOptions, 'db' | 'onFailure'>, error: unknown): void {
  if (isConnectionLost(error)) db.recover();
  else onFailure(codeOf(error));
}

async function deliver(
  options: SenderOptions,
  delivery: Delivery,
  aborting: AbortSignal,
): Promise<void> {
  const { timeoutMs = defaultTimeoutMs } = options;
  const signal = AbortSignal.any([aborting, AbortSignal.timeout(timeoutMs)]);
  const result = await send(options, delivery, signal);
  // Aborted because the sender stops, not because of the service.
  if (aborting.aborted && result.type === 'failed') return;
  await finish(options, delivery, result);
}

/** Sends one message now, without storing anything. */
export async function send(
  { db, clock, publicUrl, reminders, resolve }: Omit<SenderOptions, 'onFailure'>,
  { push, ntfyUrl, channel, message }: Pick<Delivery, 'push' | 'ntfyUrl' | 'channel' | 'message'>,
  signal: AbortSignal,
): Promise<SendResult> {
  const shared = { now: clock(), publicUrl: publicUrl(), signal, ...reminders };
  if (channel === 'push' && push) {
    const { vapid } = await serverKeys(db);
    return await sendPush(message, push, { ...shared, vapid });
  }
  if (channel === 'ntfy' && ntfyUrl !== null) {
    return await sendNtfy(message, ntfyUrl, { ...shared, ...(resolve && { resolve }) });
  }
  return { type: 'gone' };
}

async function finish(
  options: SenderOptions,
  delivery: Delivery,
  result: SendResult,
): Promise<void> {
  const { db, clock, onFailure } = options;
  const { userId, channel } = delivery;
  const state = { userId, channel, now: clock() };
  if (result.type === 'failed') {
    const until = new Date(state.now.getTime() + result.retryAfterMs);
    await postponeDelivery(db, delivery, until);
    await recordResult(db.pool, state, result.problem);
    return;
  }
  if (!(await deleteDelivery(db, delivery))) return;
  if (result.type === 'accepted') await recordResult(db.pool, state, null);
  if (result.type === 'gone' && delivery.push) await forget(options, delivery.push, state);
  if (result.type === 'rejected') {
    onFailure(`${channel} ${result.status ?? 'refused'}`);
    await recordResult(db.pool, state, result.problem);
  }
}

/** Deletes a subscription that the push service no longer knows. */
async function forget(
  { db }: SenderOptions,
  push: NonNullable<Delivery['push']>,
  state: { userId: string; channel: 'push' | 'ntfy' | 'mail'; now: Date },
): Promise<void> {
  await transaction(db, async (tx) => {
    await dropSubscription(tx, state.userId, push);
    if ((await countSubscriptions(tx, state.userId, state.now)) > 0) return;
    await recordResult(tx.$client, state, goneProblem);
  });
}

export const goneProblem =
  'The browser has ended its subscription. Please turn notifications on there again';
