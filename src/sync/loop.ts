import { liveQuery } from 'dexie';
import { createAlarm } from './alarm.ts';
import { backoffMs } from './backoff.ts';
import type { SyncContext } from './context.ts';
import { pull } from './pull.ts';
import { push, recoverInflight } from './push.ts';

/**
 * When things happen. One tab leads per account; it pushes what waits, then pulls, then sleeps until the first of:
 * an op was added · the network came back · the person looked or asked · a backoff ended · 30 s passed in sight.
 */
export interface Watcher {
  /** When the page was hidden (device's clock, ms); null while it is in sight. */
  hiddenSince: number | null;
  /** Somebody wants a round now, whatever backoff says; the loop takes it down. */
  wantsRound: boolean;
  /** Set by the loop: ends its sleep. */
  ring: () => void;
}

const pullEveryMs = 30_000;
const longestHiddenMs = 60_000;

/** Leads until the signal aborts, the session ends, or the page is hidden with nothing left to send. */
export async function lead(
  context: SyncContext,
  watcher: Watcher,
): Promise<'stopped' | 'unauthorized'> {
  const alarm = createAlarm(context.signal);
  watcher.ring = alarm.ring;
  const unwatch = watchWork(context, watcher);
  const plan: Plan = { pushAt: 0, opDueAt: 0, pullAt: 0, pullFailures: 0 };
  try {
    await recoverInflight(context);
    while (!context.signal.aborted) {
      const ended = await round(context, watcher, plan);
      if (ended) return ended;
      await alarm.sleep(nextMoment(watcher, plan) - context.now());
    }
    return 'stopped';
  } finally {
    unwatch();
  }
}

/** Moments of the device's clock, ms. */
interface Plan {
  /** No op may be sent before: nobody answers, or the server asked for patience. */
  pushAt: number;
  /** When the next waiting op is due. */
  opDueAt: number;
  pullAt: number;
  pullFailures: number;
}

async function round(context: SyncContext, watcher: Watcher, plan: Plan) {
  const { db, now } = context;
  if (watcher.wantsRound) {
    watcher.wantsRound = false;
    await forgetBackoff(context);
    Object.assign(plan, { pushAt: 0, pullAt: 0 });
  }
  if (now() >= plan.pushAt) {
    const pushed = await push(context);
    if (pushed.unauthorized) return 'unauthorized';
    plan.pushAt = pushed.pausedUntil ?? 0;
    plan.opDueAt = pushed.dueAt ?? Number.POSITIVE_INFINITY;
    if (pushed.sent > 0) plan.pullAt = 0;
  }
  if (watcher.hiddenSince !== null) {
    const waiting = await db.outbox.filter((op) => op.state !== 'parked').count();
    return waiting === 0 || now() >= watcher.hiddenSince + longestHiddenMs ? 'stopped' : null;
  }
  if (now() < Math.max(plan.pullAt, plan.pushAt)) return null;
  const pulled = await pull(context);
  if (pulled === 'unauthorized') return 'unauthorized';
  plan.pullFailures = pulled === 'failed' ? plan.pullFailures + 1 : 0;
  plan.pullAt =
    now() + (plan.pullFailures > 0 ? backoffMs(plan.pullFailures, context.random) : pullEveryMs);
  return null;
}

function nextMoment({ hiddenSince }: Watcher, plan: Plan): number {
  const pushAt = plan.pushAt > 0 ? plan.pushAt : plan.opDueAt;
  const other =
    hiddenSince === null ? Math.max(plan.pullAt, plan.pushAt) : hiddenSince + longestHiddenMs;
  return Math.min(pushAt, other);
}

/** Wakes for every op that was added and every round that was asked for, in whichever tab. */
function watchWork({ db }: SyncContext, watcher: Watcher): () => void {
  let asked: string | null | undefined;
  const work = liveQuery(async () => ({
    lastOp: await db.outbox.toCollection().last(),
    request: await db.syncState.get('request'),
  }));
  const subscription = work.subscribe({
    next: ({ request }) => {
      const nonce = request?.id === 'request' ? request.nonce : null;
      if (asked !== undefined && nonce !== asked) watcher.wantsRound = true;
      asked = nonce;
      watcher.ring();
    },
    error: (error) => console.error('The queue cannot be watched:', error),
  });
  return () => subscription.unsubscribe();
}

async function forgetBackoff({ db }: SyncContext): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const waiting = await db.outbox
      .filter((op) => op.nextAt > 0 && op.state !== 'parked')
      .toArray();
    for (const op of waiting) await db.outbox.update(op.seq, { nextAt: 0 });
  });
}
