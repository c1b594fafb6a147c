import { expect, test } from 'vitest';
import { readClockOffset } from '#client/store/clock-offset.ts';
import { rememberOffset, serverMoment } from '#client/sync/clock-offset.ts';
import { freshDb } from '../../support/fresh-db.ts';

const now = Date.parse('2026-11-20T08:00:00Z');
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

test.each<[what: string, occurredAt: number, offset: number, told: string | undefined]>([
  ['of a right clock', now - minuteMs, 0, '2026-11-20T07:59:00.000Z'],
  ['of a clock that is slow', now - minuteMs, 3 * minuteMs, '2026-11-20T08:02:00.000Z'],
  ['of a clock that is fast', now, -3 * minuteMs, '2026-11-20T07:57:00.000Z'],
  ['of right now', now, 0, '2026-11-20T08:00:00.000Z'],
  ['of 60 days ago', now - 60 * dayMs, 0, '2026-09-21T08:00:00.000Z'],
  ['of more than 60 days ago', now - 60 * dayMs - 1, 0, undefined],
  ['still ahead', now + 1, 0, undefined],
  ['still ahead of a clock that is fast', now + 1, -5 * minuteMs, undefined],
])('a moment %s is told as it was on the clock of the server, or not', (_, at, offset, told) => {
  expect(serverMoment(at, offset, now)).toBe(told);
});

test('until the server has said what time it is, the device is believed', async () => {
  const db = freshDb();
  expect(await readClockOffset(db)).toBe(0);
  expect(await rememberOffset(db, null, now)).toBe(false);
  expect(await readClockOffset(db)).toBe(0);
});

test.each([
  [0, 0],
  [4_999, 0],
  [-4_999, 0],
  [5_000, 5_000],
  [-3 * minuteMs, -3 * minuteMs],
  [400 * dayMs, 400 * dayMs],
])('a server that is %d ms ahead is remembered as %d ms', async (ahead, remembered) => {
  const db = freshDb();
  expect(await rememberOffset(db, now + ahead, now)).toBe(remembered !== 0);
  expect(await readClockOffset(db)).toBe(remembered);
});

test('a jitter of the difference is no news, another difference is', async () => {
  const db = freshDb();
  await rememberOffset(db, now + 60_000, now);
  expect(await rememberOffset(db, now + 62_000, now)).toBe(false);
  expect(await readClockOffset(db)).toBe(60_000);
  expect(await rememberOffset(db, now + 70_000, now)).toBe(true);
  expect(await readClockOffset(db)).toBe(70_000);
});

test('a clock that was set right is trusted again', async () => {
  const db = freshDb();
  await rememberOffset(db, now + 60_000, now);
  expect(await rememberOffset(db, now + 1_000, now)).toBe(true);
  expect(await readClockOffset(db)).toBe(0);
});

test('an answer that was long under way, or read late, does not make a right clock wrong', async () => {
  const db = freshDb();
  expect(await rememberOffset(db, now - 3_600_000, now, now - 3_600_000)).toBe(false);
  expect(await rememberOffset(db, now - 9_000, now, now - 9_000)).toBe(false);
  expect(await readClockOffset(db)).toBe(0);
});

test('a slow answer still shows a clock that is far off', async () => {
  const db = freshDb();
  expect(await rememberOffset(db, now + 3_600_000, now, now - 10_000)).toBe(true);
  expect(await readClockOffset(db)).toBe(3_605_000);
});
