import { expect, test } from 'vitest';
import { autoWateringNote, reasonOf, waitStatusAt } from '#domain/watering/reasons.ts';
import { type WaitReason, waitReasons } from '#domain/watering/rule.ts';
import { dayMs, hourMs, minuteMs, now, readyPlant } from './support/watering-facts.ts';

const iso = (at: number) => new Date(at).toISOString();

const words: Record<Exclude<WaitReason, 'off' | 'stale'>, string> = {
  no_device: 'no device is connected',
  no_minimum: 'no minimum of soil humidity is set',
  no_reading: 'there is no reading yet',
  no_soil: 'the last reading has no soil humidity',
  out_of_range: 'the last soil humidity cannot be true',
  clock_ahead: 'the sensor’s clock is ahead',
  few_readings: 'three readings are needed',
  spread_readings: 'the last three readings are more than 2 h apart',
  moist: 'soil humidity is not below the minimum',
  soaking: 'the last water is still soaking in',
  under_way: 'a watering is under way',
  runs_used: 'the limit of four waterings in 24 h is reached. Failed ones may count',
  water_used: 'the limit of 600 ml in 24 h is reached. Failed waterings may count',
  locked:
    'three waterings had no effect. Check tank, pump, sensor and the device’s clock, then water by hand or edit the plant',
};

test('the text about a failed command names the clock of the device', () => {
  expect(autoWateringNote({ auto_watering_reason: 'pump_failed' }, now)).toBe(
    'Not watered: the device reported that it could not water. Check tank, pump and the device’s clock',
  );
});

test.each(Object.entries(words))('the reason %s has a text', (auto_watering_reason, text) => {
  expect(autoWateringNote({ auto_watering_reason }, now)).toBe(`Not watered: ${text}`);
});

test.each<[ageMs: number, age: string]>([
  [31 * minuteMs, '31 min'],
  [7 * hourMs, '7 h'],
  [3 * dayMs, '3 days'],
  [29 * minuteMs, '30 min'],
  [-hourMs, '30 min'],
])('after %d ms without a reading, the text says that the last reading is %s old', (ageMs, age) => {
  const record = { auto_watering_reason: 'stale', auto_watering_since: iso(now - ageMs) };
  expect(autoWateringNote(record, now)).toBe(`Not watered: last reading is ${age} old`);
});

test('without a reason there is no text', () => {
  expect(autoWateringNote({}, now)).toBeNull();
  const record = { auto_watering_reason: null, auto_watering_since: null, auto_watering_note: '' };
  expect(autoWateringNote(record, now)).toBeNull();
});

test.each([
  { auto_watering_reason: 'tank_empty' },
  { auto_watering_reason: 'toString' },
  { auto_watering_reason: 'stale' },
  { auto_watering_reason: 'stale', auto_watering_since: 'yesterday' },
  {},
])('a code without a local text is shown with the text of the server: %j', (code) => {
  const record = { ...code, auto_watering_note: 'Not watered: the tank is empty' };
  expect(autoWateringNote(record, now)).toBe('Not watered: the tank is empty');
});

test('the reason of a decision is stored, unless it waters or automatic watering is off', () => {
  expect(reasonOf({ type: 'water', amountMl: 150, soilBefore: 20 })).toBeNull();
  for (const reason of waitReasons) {
    expect(reasonOf({ type: 'wait', reason })).toBe(reason === 'off' ? null : reason);
  }
});

const lastDecision = { reason: 'moist', since: now - dayMs } as const;
const nothing = { reason: null, since: null };

test.each<[string, Partial<typeof readyPlant>, lastReadingAt: number | null, expected: object]>([
  ['as long as the last reading is fresh', {}, now - 30 * minuteMs, lastDecision],
  [
    'until the sensor is silent for half an hour',
    {},
    now - 30 * minuteMs - 1,
    { reason: 'stale', since: now - 30 * minuteMs - 1 },
  ],
  ['only if there is a reading', {}, null, { reason: 'no_reading', since: null }],
  ['only with a device', { device_id: null }, now, { reason: 'no_device', since: null }],
  [
    'only with a minimum',
    { soil_humidity_threshold_min: null },
    now,
    { reason: 'no_minimum', since: null },
  ],
  ['only with automatic watering', { auto_watering_enabled: false }, null, nothing],
])('the reason of the last decision is valid %s', (_, changes, lastReadingAt, expected) => {
  const plant = { ...readyPlant, ...changes };
  const known = { lastDecision, lastReadingAt, isLocked: false };
  expect(waitStatusAt(plant, known, now)).toEqual(expected);
});

test.each<
  [string, Partial<typeof readyPlant>, lastReadingAt: number | null, reason: string | null]
>([
  ['while its soil is moist', {}, now, 'locked'],
  ['while its sensor is silent', {}, now - dayMs, 'locked'],
  ['after its readings were deleted', {}, null, 'locked'],
  ['unless it has no device any more', { device_id: null }, now, 'no_device'],
  ['unless automatic watering is off', { auto_watering_enabled: false }, now, null],
])('the reason of a locked plant is the lock %s', (_, changes, lastReadingAt, reason) => {
  const known = { lastDecision, lastReadingAt, isLocked: true };
  const status = waitStatusAt({ ...readyPlant, ...changes }, known, now);
  expect(status).toEqual({ reason, since: null });
});

test('a lock that is the reason of the last decision keeps its time', () => {
  const locked = { reason: 'locked', since: now - dayMs } as const;
  const known = { lastDecision: locked, lastReadingAt: now - dayMs, isLocked: true };
  expect(waitStatusAt(readyPlant, known, now)).toEqual(locked);
});
