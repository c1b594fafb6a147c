import { expect, test } from 'vitest';
import { roundMoments } from '#domain/reading/time-ticks.ts';
import { formatMoment } from '#domain/time.ts';
import { fc } from '../../support/properties.ts';

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
    const moments = roundMoments(at(from), at(from) + hours * hourMs, most);
    expect(moments.map((moment) => formatMoment(moment, 'time'))).toEqual(ticks);
  },
);

test('places ticks at UTC+7 midnights when they are days apart', () => {
  const moments = roundMoments(at('00:00:00'), at('00:00:00') + 10 * 24 * hourMs, 4);
  expect(moments.length).toBeGreaterThan(1);
  expect(new Set(moments.map((moment) => formatMoment(moment, 'time')))).toEqual(
    new Set(['12:00 AM']),
  );
});

test('property: ticks are inside, evenly spaced and not too many', () => {
  const anyMoment = fc.integer({ min: 0, max: 4e12 });
  const anySpan = fc.integer({ min: 60_000, max: 90 * 24 * hourMs });
  fc.assert(
    fc.property(anyMoment, anySpan, fc.integer({ min: 0, max: 12 }), (from, span, most) => {
      const ticks = roundMoments(from, from + span, most);
      expect(ticks.length).toBeLessThanOrEqual(most);
      expect(ticks.every((tick) => tick >= from && tick <= from + span)).toBe(true);
      const steps = ticks.slice(1).map((tick, i) => tick - (ticks[i] ?? 0));
      expect(new Set(steps).size).toBeLessThanOrEqual(1);
    }),
  );
});
