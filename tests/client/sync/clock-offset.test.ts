import { expect, test } from 'vitest';
import { readClockOffset } from '#client/store/meta.ts';
import { saveClockOffset, serverTimeOf, serverTimeOfEntry } from '#client/sync/clock-offset.ts';
import { freshDb } from '../../support/device/fresh-db.ts';

const now = Date.parse('2026-11-20T08:00:00Z');
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

test.each<[what: string, occurredAt: number, offset: number, expected: string | undefined]>([
  ['of a right clock', now - minuteMs, 0, '2026-11-20T07:59:00.000Z'],
  ['of a clock that is slow', now - minuteMs, 3 * minuteMs, '2026-11-20T08:02:00.000Z'],
  ['of a clock that is fast', now, -3 * minuteMs, '2026-11-20T07:57:00.000Z'],
  ['of right now', now, 0, '2026-11-20T08:00:00.000Z'],
  ['of 60 days ago', now - 60 * dayMs, 0, '2026-09-21T08:00:00.000Z'],
  ['of more than 60 days ago', now - 60 * dayMs - 1, 0, undefined],
  ['still ahead', now + 1, 0, undefined],
  ['still ahead of a clock that is fast', now + 1, -5 * minuteMs, undefined],
])('a time %s is converted to the clock of the server, or left out', (_, at, offset, expected) => {
  expect(serverTimeOf(at, offset, now)).toBe(expected);
});

test('until the server has sent its time, the offset is 0', async () => {
  const db = freshDb();
  expect(await readClockOffset(db)).toBe(0);
  expect(await saveClockOffset(db, null, now)).toBe(false);
  expect(await readClockOffset(db)).toBe(0);
});

test.each([
  [0, 0],
  [4_999, 0],
  [-4_999, 0],
  [5_000, 5_000],
  [-3 * minuteMs, -3 * minuteMs],
  [400 * dayMs, 400 * dayMs],
])('the offset of a server that is %d ms ahead is stored as %d ms', async (ahead, remembered) => {
  const db = freshDb();
  expect(await saveClockOffset(db, now + ahead, now)).toBe(remembered !== 0);
  expect(await readClockOffset(db)).toBe(remembered);
});

test('a small change of the offset is ignored, a larger one is stored', async () => {
  const db = freshDb();
  await saveClockOffset(db, now + 60_000, now);
  expect(await saveClockOffset(db, now + 62_000, now)).toBe(false);
  expect(await readClockOffset(db)).toBe(60_000);
  expect(await saveClockOffset(db, now + 70_000, now)).toBe(true);
  expect(await readClockOffset(db)).toBe(70_000);
});

test('a clock that was corrected resets the offset', async () => {
  const db = freshDb();
  await saveClockOffset(db, now + 60_000, now);
  expect(await saveClockOffset(db, now + 1_000, now)).toBe(true);
  expect(await readClockOffset(db)).toBe(0);
});

test('a response that was slow or read late does not change a correct offset', async () => {
  const db = freshDb();
  expect(await saveClockOffset(db, now - 3_600_000, now, now - 3_600_000)).toBe(false);
  expect(await saveClockOffset(db, now - 9_000, now, now - 9_000)).toBe(false);
  expect(await readClockOffset(db)).toBe(0);
});

test('a response during which the clock was set back does not change a correct offset', async () => {
  const db = freshDb();
  expect(await saveClockOffset(db, now + 3_600_000, now, now + 3_600_000)).toBe(false);
  expect(await readClockOffset(db)).toBe(0);
});

test('even a slow response changes the offset if the clock is far off', async () => {
  const db = freshDb();
  expect(await saveClockOffset(db, now + 3_600_000, now, now - 10_000)).toBe(true);
  expect(await readClockOffset(db)).toBe(3_605_000);
});

test.each<[what: string, at: number, expected: string]>([
  ['the offset is added', now - 1_000, '2026-11-20T08:00:59.000Z'],
  ['one a month ago is kept', now - 30 * 86_400_000, '2026-10-21T08:01:00.000Z'],
  ['one in the future is now', now + 5_000, '2026-11-20T08:01:00.000Z'],
  [
    'one that is too old is as old as the server accepts',
    now - 400 * 86_400_000,
    '2025-11-20T08:02:00.000Z',
  ],
])('the time of an entry on a clock that is a minute behind: %s', (_, at, expected) => {
  expect(serverTimeOfEntry(at, 60_000, now)).toBe(expected);
});
