import type { DeviceDb } from '#client/store/schema.ts';
import { backoffMs, clearBackoff, createFailureLimiter, readPause, savePause } from './backoff.ts';
import type { LiveUpdate } from './live/open-live.ts';
import type { PullResult } from './pull/pull.ts';
import type { PushResult } from './push/push.ts';
import { createSleeper, type Sleeper } from './sleeper.ts';

/**
 * Decides when the leading tab pushes, pulls, sleeps and stops. There is one per tab, because requested rounds and
 * counted failures must be kept until the tab leads again.
 *
 *        ┌─── something is due, or woken: outbox changed · round requested · change announced ───┐
 *        ▼                                                                                       │
 *    ┌──────┐  all sent, or one     ┌──────┐                  done, or not due               ┌───────┐
 *    │ push │ ────────────────────► │ pull │ ──────────────────────────────────────────────► │ sleep │
 *    └──────┘  photo, or paused     └──────┘                                                 └───────┘
 *        └─── page hidden: no pull; continue while ops are due; sleep while ops wait, at most 60 s, then stop
 *
 * A pull is due after an interval, an announced change, a requested round or a push that needs one. While the live
 * stream announces changes, the interval is 5 minutes. An op that is added during a pull interrupts it: then the op is
 * pushed, and the pull is due again.
 *
 * A pause stops both push and pull. It begins when a push gets no response (the client's backoff, 1 s → 60 s), or a 425
 * or 429 (requested by the server; persisted). A round requested by the page ends only waits that the client chose; one
 * requested by the person also ends those that the server requested. After ten failures within a minute, push and pull
 * wait until the first of them is a minute old.
 */
export interface Schedule {
  isVisible: () => boolean;
  setVisible: (isVisible: boolean) => void;
  /** Requests a round now. `by`: the page itself, e.g. after an event of the browser, or the person. */
  request: (by: Requester) => void;
  /** Ends a sleep, because the outbox may have changed. */
  wake: () => void;
  /** Call it when this tab becomes the leader. */
  begin: (signal: AbortSignal, sleeper?: Sleeper) => Promise<void>;
  /** Resolves to the next step. Report its result with `onPushed` or `onPulled`. */
  next: () => Promise<Step>;
  onPushed: (result: Exclude<PushResult, { type: 'unauthorized' }>) => Promise<void>;
  onPulled: (result: Exclude<PullResult, { type: 'unauthorized' }>) => void;
  /**
   * Call it after an error of this device, such as a write that failed. Returns how long to wait before leading again
   * (ms). This grows with each further error, because every attempt downloads the lists. A successful pull resets it.
   */
  onError: () => number;
  /** Call it when the live stream opens, announces a change or closes. While it is open, rounds are rarer. */
  onLiveUpdate: (update: LiveUpdate) => void;
  /** Whether a pull of this session has succeeded. */
  isLoaded: () => boolean;
  /** Resolves when something is due, or after `wake`. */
  sleep: () => Promise<void>;
}

export type Step = 'push' | 'pull' | 'sleep' | 'stop';
export type Requester = 'page' | 'person';

export interface ScheduleDeps {
  db: DeviceDb;
  /** Device's clock, ms. */
  now: () => number;
  random: () => number;
  /** Called when ops still wait after a push, to register a background sync: the page may be closed before the next. */
  onOpsWaiting: () => void;
}

const pullEveryMs = 30_000;
/** While the live stream announces changes. */
const pullEveryLiveMs = 300_000;
/**
 * Minimum time from the start of a pull to the next one for an announced change, so that changes in quick succession
 * share one pull.
 */
const announcedGapMs = 700;
const longestHiddenMs = 60_000;
const never = Number.POSITIVE_INFINITY;

export function createSchedule({ db, now, random, onOpsWaiting }: ScheduleDeps): Schedule {
  const limiter = createFailureLimiter();
  let hiddenSince: number | null = now();
  let requestedBy: Requester | null = null;
  let signal: AbortSignal | null = null;
  let sleeper: Sleeper | null = null;
  /** The next step of push, pull, sleep. If a push or pull is not due, the tab sleeps or stops instead. */
  let nextPart: 'push' | 'pull' | 'sleep' = 'push';
  // All times are of the device's clock, ms.
  let pausedUntil = 0;
  let isPausedByServer = false;
  let opDueAt = never;
  let pullAt = 0;
  let pullStartedAt = 0;
  /** Until when the server wants no pulls. Not stored, so that a reload of the page by the person pulls at once. */
  let pullPausedUntil = 0;
  let pullFailures = 0;
  let errors = 0;
  let isLoaded = false;
  let isLive = false;
  /** Whether the live stream opened or announced a change after the last pull began. */
  let isAnnounced = false;
  /** The time of the last step. */
  let steppedAt = 0;

  const isLimited = () => limiter.freeAt(now()) > now();
  const isAllSent = () => pausedUntil === 0 && opDueAt === never;

  /** If the clock was set back, all times move with it: otherwise every wait would be longer by as much. */
  function followClock(): void {
    const backMs = Math.max(0, steppedAt - now());
    steppedAt = now();
    if (pausedUntil > 0) pausedUntil -= backMs;
    if (hiddenSince !== null) hiddenSince -= backMs;
    opDueAt -= backMs;
    pullAt -= backMs;
    pullStartedAt -= backMs;
    pullPausedUntil -= backMs;
  }

  function stepWhileHidden(since: number): Step {
    // An op is due, for example the next photo, because a push sends one photo at a time. Sleep and do not stop: the
    // sleep ends as soon as the failure limiter allows a push, usually at once.
    if (pausedUntil === 0 && opDueAt <= now()) return 'sleep';
    return isAllSent() || now() >= since + longestHiddenMs ? 'stop' : 'sleep';
  }

  async function takeRequest(): Promise<void> {
    const by = requestedBy;
    if (by === null) return;
    requestedBy = null;
    await clearBackoff(db, now(), by === 'person');
    pullAt = 0;
    if (by === 'person' || !isPausedByServer) pausedUntil = 0;
    if (by === 'person') pullPausedUntil = 0;
  }

  /** When the next pull may be made, unless push and pull are paused. */
  function pullDueAt(): number {
    return Math.max(pullAt, pullPausedUntil);
  }

  function announcedPullAt(): number {
    return Math.max(now(), pullStartedAt + announcedGapMs);
  }

  /** When a sleep ends if nothing wakes it earlier. */
  function sleepsUntil(): number {
    const pushAt = pausedUntil > 0 ? pausedUntil : opDueAt;
    const otherAt =
      hiddenSince === null ? Math.max(pullDueAt(), pausedUntil) : hiddenSince + longestHiddenMs;
    return Math.max(Math.min(pushAt, otherAt), limiter.freeAt(now()));
  }

  return {
    isVisible: () => hiddenSince === null,
    setVisible: (isVisible) => {
      hiddenSince = isVisible ? null : (hiddenSince ?? now());
    },
    request: (by) => {
      if (requestedBy !== 'person') requestedBy = by;
      sleeper?.wake();
    },
    wake: () => sleeper?.wake(),
    begin: async (leadership, given = createSleeper(leadership)) => {
      signal = leadership;
      sleeper = given;
      nextPart = 'push';
      pausedUntil = await readPause(db, now());
      isPausedByServer = true;
      opDueAt = 0;
      pullAt = 0;
      pullFailures = 0;
      isLive = false;
    },
    next: async () => {
      followClock();
      const part = nextPart;
      nextPart = 'push';
      if (part === 'push' && !isLimited()) {
        await takeRequest();
        if (now() >= pausedUntil) {
          nextPart = 'pull';
          return 'push';
        }
      }
      // A hidden page does not stop right after a pull: an op added during it ends this sleep at once, and is pushed.
      if (part === 'sleep') return 'sleep';
      if (hiddenSince !== null) return stepWhileHidden(hiddenSince);
      if (part === 'push' || now() < Math.max(pullDueAt(), pausedUntil)) return 'sleep';
      nextPart = 'sleep';
      pullStartedAt = now();
      isAnnounced = false;
      return 'pull';
    },
    onPushed: async (result) => {
      const isPaused = result.type === 'paused';
      pausedUntil = isPaused ? result.until : 0;
      isPausedByServer = isPaused && result.by === 'server';
      opDueAt = isPaused ? never : (result.dueAt ?? never);
      if (!isAllSent()) onOpsWaiting();
      if (result.needsPull) pullAt = 0;
      // A request that this device aborted is not a failure: the pause is not stored, and the failure limiter does not
      // count it.
      if (!isPaused || signal?.aborted) return;
      if (isPausedByServer) await savePause(db, now(), pausedUntil);
      limiter.recordFailure(now());
    },
    onPulled: (result) => {
      if (result.type === 'stopped') return;
      if (result.type === 'interrupted') {
        pullAt = 0;
        return;
      }
      if (result.type === 'done') {
        isLoaded = true;
        pullFailures = 0;
        pullPausedUntil = 0;
        errors = 0;
        pullAt = isAnnounced ? announcedPullAt() : now() + (isLive ? pullEveryLiveMs : pullEveryMs);
        return;
      }
      limiter.recordFailure(now());
      pullFailures += 1;
      pullPausedUntil = now() + (result.retryAfterMs ?? 0);
      pullAt = now() + (result.retryAfterMs ?? backoffMs(pullFailures, random));
    },
    onError: () => {
      errors += 1;
      return backoffMs(errors, random);
    },
    onLiveUpdate: ({ type }) => {
      // A connection that was not open changes nothing: the rounds continue as before.
      if (type === 'closed' && !isLive) return;
      isLive = type !== 'closed';
      isAnnounced ||= isLive;
      // Random, so that after a stop of the server not all clients pull in the same second.
      const dueAt = isLive ? announcedPullAt() : now() + pullEveryMs * random();
      if (pullFailures === 0) pullAt = Math.min(pullAt, dueAt);
      sleeper?.wake();
    },
    isLoaded: () => isLoaded,
    sleep: async () => sleeper?.sleep(sleepsUntil() - now()),
  };
}
