import { expect, test } from 'vitest';
import { alertKey, alertsOf, alertTexts, type WatchedPlant } from '#domain/reminder/alerts.ts';

const hour = 3_600_000;
const now = Date.parse('2026-11-20T08:00:00Z');
const healthy: WatchedPlant = {
  id: 'p1',
  nickname: 'Monty',
  hasDevice: true,
  lastReadingAt: now - hour,
  attachedAt: null,
  health: 'Good',
  isLocked: false,
  hasPumpFailed: false,
};

function keysOf(changes: Partial<WatchedPlant>): string[] {
  return alertsOf({ ...healthy, ...changes }, now).map(alertKey);
}

test.each<[string, Partial<WatchedPlant>, string[]]>([
  ['a healthy plant', {}, []],
  ['a reading of 24 h ago', { lastReadingAt: now - 24 * hour }, []],
  ['a reading of more than 24 h ago', { lastReadingAt: now - 24 * hour - 1 }, ['silent:p1']],
  ['a device without any reading', { lastReadingAt: null }, []],
  [
    'only old readings of another device',
    { lastReadingAt: now - 50 * hour, attachedAt: now - hour },
    [],
  ],
  [
    'a device that is silent since its first reading',
    { lastReadingAt: now - 50 * hour, attachedAt: now - 50 * hour },
    ['silent:p1'],
  ],
  [
    'a new device without a reading for more than 24 h',
    { lastReadingAt: now - 50 * hour, attachedAt: now - 25 * hour },
    ['silent:p1'],
  ],
  ['old readings without a device', { lastReadingAt: now - 50 * hour, hasDevice: false }, []],
  ['a lock', { isLocked: true }, ['locked:p1']],
  ['a failed pump', { hasPumpFailed: true }, ['pump_failed:p1']],
  ['critical health', { health: 'Critical' }, ['critical:p1']],
  ['a warning', { health: 'Warning' }, []],
  [
    'critical health in an old reading',
    { health: 'Critical', lastReadingAt: now - 25 * hour },
    ['silent:p1'],
  ],
  ['critical without a reading', { health: 'Critical', lastReadingAt: null }, []],
  [
    'everything',
    { health: 'Critical', isLocked: true, hasPumpFailed: true },
    ['locked:p1', 'pump_failed:p1', 'critical:p1'],
  ],
])('a plant has exactly the alerts that apply to its state: %s', (_, changes, keys) =>
  expect(keysOf(changes)).toEqual(keys),
);

test('a message about one alert has the title and the text of that alert', () => {
  const [alert] = alertsOf({ ...healthy, lastReadingAt: now - 30 * hour }, now);
  expect(alert && alertTexts([alert])).toEqual({
    title: 'The sensor of Monty is silent',
    body: 'Its last reading is 30 h old. Check its power, its network and its clock.',
  });
});

test('the text about critical health is true for each of its two causes', () => {
  const [alert] = alertsOf({ ...healthy, health: 'Critical' }, now);
  expect(alert?.body).toBe(
    'Its soil is far too dry, or at least two readings are outside the limits that you have set.',
  );
});

test.each<[string, Partial<WatchedPlant>, string]>([
  [
    'a lock',
    { isLocked: true },
    'Three waterings had no effect. Check tank, pump, sensor and the device’s clock, then water by hand or edit the plant.',
  ],
  [
    'a failed pump',
    { hasPumpFailed: true },
    'Its device reported that it could not water. Check tank, pump and the device’s clock.',
  ],
  [
    'a new device without a reading',
    { lastReadingAt: null, attachedAt: now - 25 * hour },
    'It was attached 25 h ago and has sent nothing yet. Check its power, its network, its clock and its ID.',
  ],
])('the text about %s names the clock of the device', (_, changes, body) => {
  expect(alertsOf({ ...healthy, ...changes }, now)).toMatchObject([{ body }]);
});

test('several alerts are combined in one message', () => {
  const alerts = ['A', 'B', 'C', 'D', 'E', 'F'].flatMap((nickname) =>
    alertsOf({ ...healthy, id: nickname, nickname, hasPumpFailed: true }, now),
  );
  expect(alertTexts(alerts.slice(0, 2))).toEqual({
    title: '2 problems in your garden',
    body: 'The pump of A failed\nThe pump of B failed',
  });
  expect(alertTexts(alerts).body.split('\n').at(-1)).toBe('and 2 more');
});

test('an alert shortens a long plant name, and calls a plant without a nickname "Unnamed Plant"', () => {
  const [alert] = alertsOf({ ...healthy, nickname: 'x'.repeat(200), isLocked: true }, now);
  expect(alert?.title.length).toBeLessThan(90);
  const [unnamed] = alertsOf({ ...healthy, nickname: '', isLocked: true }, now);
  expect(unnamed?.title).toBe('Unnamed Plant is no longer watered automatically');
});
