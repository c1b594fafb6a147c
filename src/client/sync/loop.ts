import { type Alarm, createAlarm } from './alarm.ts';
import { backoffMs } from './backoff.ts';
import { forgetBackoff, readPause, rememberPause } from './backoff-memory.ts';
import type { SyncContext } from './context.ts';
import type { Pace } from './pace.ts';
import { pull } from './pull/pull.ts';
import { recoverInflight } from './push/claim.ts';
import { type PushResult, push } from './push/push.ts';
import { watchWork } from './watch-work.ts';

/**
 * When things happen. One tab leads per account; it pushes what waits, then pulls, then sleeps until the first of:
 * an op was added · the network came back · the person looked or asked · a backoff ended · 30 s passed in sight.
 */
export interface Watcher {
  /** When the page was hidden (device's clock, ms); null while it is in sight. */
  hiddenSince: number | null;
  /** A round is due now: whatever our backoff says, or, asked for by the person, the server's too. The loop takes it down. */
  wants: 'nothing' | 'round' | 'asked';
  pace: Pace;
  /** Set by the loop: ends its sleep. */
  ring: () => void;
  /** Called when something waits for longer than a round. */
  onHeldUp: () => void;
}

const pullEveryMs = 30_000;
const longestHiddenMs = 60_000;

/** Leads until the signal aborts, the session ends, or the page is hidden with nothing left to send. */
export async function lead(
  context: SyncContext,
  watcher: Watcher,
  alarm: Alarm = createAlarm(context.signal),
): Promise<'stopped' | 'unauthorized'> {
  const { db, now, signal } = context;
  watcher.ring = alarm.ring;
  const unwatch = watchWork(db, (isAsked) => {
    if (isAsked) watcher.wants = 'asked';
    watcher.ring();
  });
  try {
    await recoverInflight(context);
    const plan: Plan = {
      pushAt: await readPause(db, now()),
      isPauseAsked: true,
      opDueAt: 0,
      pullAt: 0,
      pullFailures: 0,
    };
    while (!signal.aborted) {
      const ended = await round(context, watcher, plan);
      if (ended) return ended;
      await alarm.sleep(nextMoment(watcher, plan, now()) - now());
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
  /** That wait is the server's wish. */
  isPauseAsked: boolean;
  /** When the next waiting op is due. */
  opDueAt: number;
  pullAt: number;
  pullFailures: number;
}

async function round(context: SyncContext, watcher: Watcher, plan: Plan) {
  const { now } = context;
  if (watcher.pace.freeAt(now()) > now()) return endOfSight(watcher, plan, now());
  await takeWish(context, watcher, plan);
  if (now() >= plan.pushAt) {
    const pushed = await push(context);
    if (pushed.type === 'unauthorized') return 'unauthorized';
    await planPush(context, watcher, plan, pushed);
  }
  if (watcher.hiddenSince !== null) return endOfSight(watcher, plan, now());
  if (now() < Math.max(plan.pullAt, plan.pushAt)) return null;
  const pulled = await pull(context);
  if (pulled.is === 'unauthorized') return 'unauthorized';
  if (pulled.is === 'done') {
    plan.pullFailures = 0;
    plan.pullAt = now() + pullEveryMs;
    return null;
  }
  // Broken off by ourselves, it is no failure.
  if (context.signal.aborted) return null;
  watcher.pace.noteFailure(now());
  plan.pullFailures += 1;
  plan.pullAt = now() + (pulled.retryAfterMs ?? backoffMs(plan.pullFailures, context.random));
  return null;
}

async function takeWish({ db, now }: SyncContext, watcher: Watcher, plan: Plan): Promise<void> {
  const isAsked = watcher.wants === 'asked';
  if (watcher.wants === 'nothing') return;
  watcher.wants = 'nothing';
  await forgetBackoff(db, now(), isAsked);
  plan.pullAt = 0;
  if (isAsked || !plan.isPauseAsked) plan.pushAt = 0;
}

async function planPush(
  { db, now, signal }: SyncContext,
  { pace, onHeldUp }: Watcher,
  plan: Plan,
  pushed: Exclude<PushResult, { type: 'unauthorized' }>,
): Promise<void> {
  plan.pushAt = pushed.type === 'paused' ? pushed.until : 0;
  plan.isPauseAsked = pushed.type === 'paused' && pushed.by === 'server';
  plan.opDueAt = (pushed.type === 'done' && pushed.dueAt) || Number.POSITIVE_INFINITY;
  if (!isAllSent(plan)) onHeldUp();
  if (pushed.answered > 0) plan.pullAt = 0;
  if (pushed.type === 'done' || signal.aborted) return;
  if (plan.isPauseAsked) await rememberPause(db, plan.pushAt);
  pace.noteFailure(now());
}

/** Out of sight the lead goes on only for what waits, and not for long. */
function endOfSight({ hiddenSince }: Watcher, plan: Plan, now: number): 'stopped' | null {
  if (hiddenSince === null) return null;
  return isAllSent(plan) || now >= hiddenSince + longestHiddenMs ? 'stopped' : null;
}

function isAllSent({ pushAt, opDueAt }: Plan): boolean {
  return pushAt === 0 && opDueAt === Number.POSITIVE_INFINITY;
}

function nextMoment({ hiddenSince, pace }: Watcher, plan: Plan, now: number): number {
  const pushAt = plan.pushAt > 0 ? plan.pushAt : plan.opDueAt;
  const pullAt = Math.max(plan.pullAt, plan.pushAt);
  const other = hiddenSince === null ? pullAt : hiddenSince + longestHiddenMs;
  return Math.max(Math.min(pushAt, other), pace.freeAt(now));
}
