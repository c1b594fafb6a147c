import { beforeEach, expect, test } from 'vitest';
import { createSchedule, type Schedule } from '#client/sync/schedule.ts';
import { freshDb } from '../../support/device/fresh-db.ts';

const second = 1_000;
const closed = { type: 'closed' } as const;
const nothingToPush = { type: 'done', needsPull: false, dueAt: null } as const;

let now: number;
let slept: number[];
let schedule: Schedule;
beforeEach(async () => {
  now = Date.parse('2026-11-20T08:00:00Z');
  slept = [];
  schedule = createSchedule({
    db: freshDb(),
    now: () => now,
    random: () => 0.5,
    onOpsWaiting: () => undefined,
  });
  schedule.setVisible(true);
  await begin();
});

function begin(): Promise<void> {
  return schedule.begin(new AbortController().signal, {
    wake: () => undefined,
    sleep: async (ms) => void slept.push(ms),
  });
}

/** Follows the schedule until it sleeps. Resolves to whether it pulled, and how long it then sleeps (ms). */
async function round(
  result: 'done' | 'failed' = 'done',
  retryAfterMs: number | null = null,
): Promise<{ pulled: boolean; ms: number }> {
  let pulled = false;
  for (;;) {
    const step = await schedule.next();
    if (step === 'push') await schedule.onPushed(nothingToPush);
    else if (step === 'pull') {
      pulled = true;
      schedule.onPulled(result === 'done' ? { type: 'done' } : { type: result, retryAfterMs });
    } else {
      await schedule.sleep();
      return { pulled, ms: slept.at(-1) ?? 0 };
    }
  }
}

test('without a live stream there is a pull every 30 s', async () => {
  expect(await round()).toEqual({ pulled: true, ms: 30 * second });
  now += 30 * second;
  expect(await round()).toEqual({ pulled: true, ms: 30 * second });
});

test('an opened stream causes one pull, and then a pause of 5 minutes', async () => {
  await round();
  now += 2 * second;
  schedule.onLiveUpdate({ type: 'open' });
  expect(await round()).toEqual({ pulled: true, ms: 300 * second });
  now += 299 * second;
  expect(await round()).toEqual({ pulled: false, ms: second });
});

test('an announced change is pulled at once', async () => {
  schedule.onLiveUpdate({ type: 'open' });
  await round();
  now += 60 * second;
  schedule.onLiveUpdate({ type: 'change' });
  expect(await round()).toEqual({ pulled: true, ms: 300 * second });
});

test('changes in quick succession are pulled together, 0.7 s after the previous pull', async () => {
  schedule.onLiveUpdate({ type: 'open' });
  await round();
  now += 200;
  schedule.onLiveUpdate({ type: 'change' });
  schedule.onLiveUpdate({ type: 'change' });
  expect(await round()).toEqual({ pulled: false, ms: 500 });
  now += 500;
  expect(await round()).toMatchObject({ pulled: true });
});

test('a change that is announced during a pull causes another pull', async () => {
  schedule.onLiveUpdate({ type: 'open' });
  await schedule.next();
  await schedule.onPushed(nothingToPush);
  expect(await schedule.next()).toBe('pull');
  schedule.onLiveUpdate({ type: 'change' });
  schedule.onPulled({ type: 'done' });
  expect(await round()).toEqual({ pulled: false, ms: 700 });
});

test('an interrupted pull is due again after the push', async () => {
  await schedule.next();
  await schedule.onPushed(nothingToPush);
  expect(await schedule.next()).toBe('pull');
  schedule.onPulled({ type: 'interrupted' });
  expect(schedule.isLoaded()).toBe(false);
  expect(await schedule.next()).toBe('sleep');
  expect(await round()).toEqual({ pulled: true, ms: 30 * second });
});

test('when the stream closes, pulls every 30 s start again after a random delay', async () => {
  schedule.onLiveUpdate({ type: 'open' });
  await round();
  now += second;
  schedule.onLiveUpdate(closed);
  expect(await round()).toEqual({ pulled: false, ms: 15 * second });
  now += 15 * second;
  expect(await round()).toEqual({ pulled: true, ms: 30 * second });
});

test('a stream that closes without having been open changes nothing', async () => {
  await round();
  now += second;
  schedule.onLiveUpdate(closed);
  expect(await round()).toEqual({ pulled: false, ms: 29 * second });
});

test('a new leader pulls every 30 s until its own stream is open', async () => {
  schedule.onLiveUpdate({ type: 'open' });
  await round();
  await begin();
  expect(await round()).toEqual({ pulled: true, ms: 30 * second });
});

test('announcements do not shorten the backoff of failed pulls', async () => {
  schedule.onLiveUpdate({ type: 'open' });
  const { ms } = await round('failed');
  expect(ms).toBeGreaterThan(0);
  schedule.onLiveUpdate({ type: 'change' });
  expect(await round()).toEqual({ pulled: false, ms });
});

test('a round requested by the page ends the backoff of a failed pull', async () => {
  await round('failed');
  schedule.request('page');
  expect(await round()).toMatchObject({ pulled: true });
});

test('rounds requested by the page, new leaders and pushes do not end the pause that a server requested for pulls', async () => {
  expect(await round('failed', 120 * second)).toEqual({ pulled: true, ms: 120 * second });
  schedule.request('page');
  expect(await round()).toEqual({ pulled: false, ms: 120 * second });
  now += 20 * second;
  await begin();
  expect(await round()).toEqual({ pulled: false, ms: 100 * second });
  expect(await schedule.next()).toBe('push');
  await schedule.onPushed({ ...nothingToPush, needsPull: true });
  expect(await round()).toEqual({ pulled: false, ms: 100 * second });
  now += 100 * second;
  expect(await round()).toMatchObject({ pulled: true });
});

test('a round requested by the person ends the pause that a server requested for pulls', async () => {
  await round('failed', 120 * second);
  schedule.request('person');
  expect(await round()).toMatchObject({ pulled: true });
});

test.each<[by: 'page' | 'person', pausedBy: 'server' | 'backoff', next: 'push' | 'sleep']>([
  ['page', 'server', 'sleep'],
  ['page', 'backoff', 'push'],
  ['person', 'server', 'push'],
  ['person', 'backoff', 'push'],
])(
  'after a round requested by the %s in a pause of pushes by the %s, the next step is %s',
  async (by, pausedBy, next) => {
    await schedule.next();
    const until = now + 20 * second;
    await schedule.onPushed({ type: 'paused', needsPull: false, until, by: pausedBy });
    expect(await schedule.next()).toBe('sleep');
    schedule.request(by);
    expect(await schedule.next()).toBe(next);
  },
);

test('after the page was hidden, there is a pull every 30 s until the stream is open again', async () => {
  schedule.onLiveUpdate({ type: 'open' });
  await round();
  schedule.setVisible(false);
  schedule.onLiveUpdate(closed);
  schedule.setVisible(true);
  now += 300 * second;
  expect(await round()).toEqual({ pulled: true, ms: 30 * second });
});

test('a page that is hidden and shown again while its stream stays open pulls every 5 minutes', async () => {
  schedule.onLiveUpdate({ type: 'open' });
  await round();
  schedule.setVisible(false);
  schedule.setVisible(true);
  schedule.request('page');
  expect(await round()).toEqual({ pulled: true, ms: 300 * second });
});

const daySetBack = 24 * 3_600 * second;

test('setting the clock back delays the next pull by at most 30 s', async () => {
  await round();
  now -= daySetBack;
  expect(await round()).toEqual({ pulled: false, ms: 30 * second });
  now += 30 * second;
  expect(await round()).toEqual({ pulled: true, ms: 30 * second });
});

test('setting the clock back does not lengthen a pause', async () => {
  await schedule.next();
  const pause = { type: 'paused', needsPull: false, by: 'backoff' } as const;
  await schedule.onPushed({ ...pause, until: now + second });
  now -= daySetBack;
  expect(await round()).toEqual({ pulled: false, ms: second });
  now += second;
  expect(await schedule.next()).toBe('push');
});
