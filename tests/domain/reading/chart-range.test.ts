import { expect, test } from 'vitest';
import { formatMoment } from '#domain/dates.ts';
import { chartRange, roundTicks, tickText } from '#domain/reading/chart-range.ts';
import { defaultZone, timeZoneOf } from '#domain/zone.ts';
import { fc } from '../../support/properties.ts';

test.each<[why: string, values: (number | null)[], threshold: [number, number], [number, number]]>([
  ['data within the thresholds', [40, 50], [30, 70], [30, 70]],
  ['10 % beyond data that is wider', [0, 100], [30, 70], [-10, 110]],
  ['10 % below, the threshold above', [10, 50], [30, 70], [6, 70]],
  ['the threshold below, 10 % above', [60, 100], [30, 70], [30, 104]],
  ['half the threshold span around equal values', [100, 100, 100], [30, 70], [30, 120]],
  ['half the threshold span around a single value', [0], [30, 70], [-20, 70]],
  ['at least 10 around equal values', [50, 50], [48, 52], [40, 60]],
  ['at least 5 units', [20.4, 20.6], [20, 21], [18, 23]],
  ['exactly 5 units are enough', [21, 22], [20, 25], [20, 25]],
  ['the thresholds where nothing was measured', [], [30, 70], [30, 70]],
  ['at least 5 units where nothing was measured', [null, null], [20, 22], [18.5, 23.5]],
  ['gaps do not count', [null, 0, null, 100], [30, 70], [-10, 110]],
  ['half the threshold span around one value among gaps', [null, 90], [30, 70], [30, 110]],
  ['values below zero', [-20, -10], [15, 30], [-21, 30]],
])('%s', (_, values, [from, to], [min, max]) => {
  const range = chartRange(values, { min: from, max: to });
  expect(range.min).toBeCloseTo(min, 9);
  expect(range.max).toBeCloseTo(max, 9);
});

/** Multiples of 0.01, because sensors do not report finer differences. */
const anyValue = fc.integer({ min: -20_000, max: 20_000_000 }).map((steps) => steps / 100);
const anyValues = fc.array(fc.option(anyValue), { maxLength: 24 });
const anyThreshold = fc
  .tuple(anyValue, anyValue)
  .map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b) }));

test('property: the range contains all values, with a margin of at least 10 % of their span', () => {
  fc.assert(
    fc.property(anyValues, anyThreshold, (values, threshold) => {
      const { min, max } = chartRange(values, threshold);
      const known = values.filter((value) => value !== null);
      fc.pre(known.length > 0);
      const pad = (Math.max(...known) - Math.min(...known)) * 0.1 || 10;
      const tolerance = 1e-6;
      expect(Math.min(...known) - pad).toBeGreaterThanOrEqual(min - tolerance);
      expect(Math.max(...known) + pad).toBeLessThanOrEqual(max + tolerance);
    }),
  );
});

test('property: the range contains the thresholds, spans at least 5 units and is finite', () => {
  fc.assert(
    fc.property(anyValues, anyThreshold, (values, threshold) => {
      const { min, max } = chartRange(values, threshold);
      expect(min).toBeLessThanOrEqual(threshold.min);
      expect(max).toBeGreaterThanOrEqual(threshold.max);
      expect(max - min).toBeGreaterThanOrEqual(5 - 1e-6);
      expect(Number.isFinite(min) && Number.isFinite(max)).toBe(true);
    }),
  );
});

test('property: the range extends beyond data and thresholds by at most half their span, or by 10 if that is more', () => {
  fc.assert(
    fc.property(anyValues, anyThreshold, (values, threshold) => {
      const { min, max } = chartRange(values, threshold);
      const known = values.filter((value) => value !== null);
      const low = Math.min(threshold.min, ...known);
      const high = Math.max(threshold.max, ...known);
      const most = Math.max(10, (high - low) / 2, 5);
      expect(low - min).toBeLessThanOrEqual(most + 1e-6);
      expect(max - high).toBeLessThanOrEqual(most + 1e-6);
    }),
  );
});

const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
const hourMs = 3_600_000;

test.each<[from: string, hours: number, most: number, ticks: string[]]>([
  ['00:30:00', 23, 4, ['12:00 PM', '6:00 PM', '12:00 AM', '6:00 AM']],
  ['00:30:00', 23, 2, ['12:00 PM', '12:00 AM']],
  ['00:10:00', 1, 4, ['7:15 AM', '7:30 AM', '7:45 AM', '8:00 AM']],
  ['01:00:00', 2, 3, ['8:00 AM', '9:00 AM', '10:00 AM']],
])(
  'from %s over %d h, places at most %d ticks at round UTC+7 times',
  (from, hours, most, ticks) => {
    const moments = roundTicks(at(from), at(from) + hours * hourMs, most, defaultZone);
    expect(moments.map((moment) => formatMoment(moment, 'time', defaultZone))).toEqual(ticks);
  },
);

test('places ticks at UTC+7 midnights when they are days apart', () => {
  const moments = roundTicks(at('00:00:00'), at('00:00:00') + 10 * 24 * hourMs, 4, defaultZone);
  expect(moments.length).toBeGreaterThan(1);
  expect(new Set(moments.map((moment) => formatMoment(moment, 'time', defaultZone)))).toEqual(
    new Set(['12:00 AM']),
  );
});

test('property: ticks are inside the range, evenly spaced and at most as many as asked for', () => {
  const anyMoment = fc.integer({ min: 0, max: 4e12 });
  const anySpan = fc.integer({ min: 60_000, max: 90 * 24 * hourMs });
  fc.assert(
    fc.property(anyMoment, anySpan, fc.integer({ min: 0, max: 12 }), (from, span, most) => {
      const ticks = roundTicks(from, from + span, most, defaultZone);
      expect(ticks.length).toBeLessThanOrEqual(most);
      expect(ticks.every((tick) => tick >= from && tick <= from + span)).toBe(true);
      const steps = ticks.slice(1).map((tick, i) => tick - (ticks[i] ?? 0));
      expect(new Set(steps).size).toBeLessThanOrEqual(1);
    }),
  );
});

test('the ticks of a year are the starts of months, evenly spaced', () => {
  const at = (text: string) => Date.parse(`${text}T00:00:00+07:00`);
  const [from, to] = [at('2025-11-20'), at('2026-11-20')];
  const shown = (most: number) =>
    roundTicks(from, to, most, defaultZone).map((at) => formatMoment(at, 'month', defaultZone));
  expect(roundTicks(from, to, 12, defaultZone)[0]).toBe(at('2025-12-01'));
  expect(shown(12)).toHaveLength(12);
  expect(shown(4)).toEqual(['Dec 2025', 'Mar 2026', 'Jun 2026', 'Sep 2026']);
});

test.each<[hours: number, most: number, labels: string[]]>([
  [23, 4, ['12:00 PM', '6:00 PM', 'Nov 21', '6:00 AM']],
  [36, 4, ['12:00 PM', 'Nov 21', '12:00 PM']],
  [48, 10, ['Nov 21', 'Nov 22']],
  [92, 4, ['Nov 21', 'Nov 22', 'Nov 23', 'Nov 24']],
  [60 * 24, 4, ['Dec 3', 'Dec 18', 'Jan 2', 'Jan 17']],
  [120 * 24, 4, ['Dec 2026', 'Jan 2027', 'Feb 2027', 'Mar 2027']],
])('labels a time axis of %d h, with at most %d labels, with %j', (hours, most, labels) => {
  const range = [at('00:30:00'), at('00:30:00') + hours * hourMs] as const;
  const ticks = roundTicks(...range, most, defaultZone);
  expect(ticks.map((tick) => tickText(tick, ...range, defaultZone))).toEqual(labels);
});

test('property: from two days on, all labels of a time axis are different', () => {
  const anyMoment = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) });
  const anySpan = fc.integer({ min: 48 * hourMs, max: 900 * 24 * hourMs });
  const zones = ['Pacific/Pago_Pago', 'America/Havana', 'Europe/Berlin'].map(timeZoneOf);
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      anyMoment,
      anySpan,
      fc.nat(12),
      (zone, from, span, most) => {
        const ticks = roundTicks(from, from + span, most, zone);
        const labels = ticks.map((tick) => tickText(tick, from, from + span, zone));
        expect(labels).toEqual([...new Set(labels)]);
      },
    ),
  );
});

test.each<[zone: string, from: string, hours: number, most: number, ticks: string[]]>([
  [
    'Pacific/Pago_Pago',
    '2026-11-20T00:30:00Z',
    23,
    4,
    ['6:00 PM', '12:00 AM', '6:00 AM', '12:00 PM'],
  ],
  ['Asia/Kathmandu', '2026-11-20T01:00:00Z', 2, 3, ['7:00 AM', '8:00 AM']],
  // Clocks skip 2:00 to 3:00, or show it twice.
  ['Europe/Berlin', '2027-03-27T22:30:00Z', 23, 4, ['12:00 AM', '6:00 AM', '12:00 PM', '6:00 PM']],
  [
    'Europe/Berlin',
    '2026-10-24T21:30:00Z',
    26,
    5,
    ['12:00 AM', '6:00 AM', '12:00 PM', '6:00 PM', '12:00 AM'],
  ],
])(
  'in %s from %s over %d h, ticks are at round times of its clocks',
  (name, from, hours, most, ticks) => {
    const zone = timeZoneOf(name);
    const start = Date.parse(from);
    const moments = roundTicks(start, start + hours * hourMs, most, zone);
    expect(moments.map((moment) => formatMoment(moment, 'time', zone))).toEqual(ticks);
  },
);

test('ticks that are days apart stay at midnight when the clocks change', () => {
  const zone = timeZoneOf('America/New_York');
  const from = Date.parse('2026-10-25T12:00:00Z');
  const moments = roundTicks(from, from + 14 * 24 * hourMs, 7, zone);
  expect(moments.length).toBeGreaterThan(4);
  expect(new Set(moments.map((moment) => formatMoment(moment, 'time', zone)))).toEqual(
    new Set(['12:00 AM']),
  );
});

test('property: in any zone all ticks are inside the range, in order and different, and there are at most six', () => {
  const zones = ['Pacific/Pago_Pago', 'Australia/Lord_Howe', 'Europe/Berlin'].map(timeZoneOf);
  const anyMoment = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) });
  const anySpan = fc.integer({ min: 60_000, max: 400 * 24 * hourMs });
  fc.assert(
    fc.property(fc.constantFrom(...zones), anyMoment, anySpan, (zone, from, span) => {
      const ticks = roundTicks(from, from + span, 6, zone);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.every((tick) => tick >= from && tick <= from + span)).toBe(true);
      expect(ticks.every((tick, i) => i === 0 || tick > (ticks[i - 1] ?? 0))).toBe(true);
    }),
  );
});

test('the month ticks of a year are at midnight in the time zone', () => {
  const zone = timeZoneOf('Europe/Berlin');
  const [from, to] = [Date.parse('2025-11-20T00:00:00Z'), Date.parse('2026-11-20T00:00:00Z')];
  const starts = roundTicks(from, to, 12, zone);
  expect(starts[0]).toBe(Date.parse('2025-12-01T00:00:00+01:00'));
  expect(starts[6]).toBe(Date.parse('2026-06-01T00:00:00+02:00'));
});
