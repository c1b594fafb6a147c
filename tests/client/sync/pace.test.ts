import { expect, test } from 'vitest';
import { createPace } from '#client/sync/pace.ts';
import { fc } from '../../support/properties.ts';

test('ten failures in a minute are enough; then one waits until the first is a minute old', () => {
  const pace = createPace();
  for (let i = 0; i < 9; i++) pace.noteFailure(i * 1_000);
  expect(pace.freeAt(9_000)).toBe(0);
  pace.noteFailure(9_000);
  expect(pace.freeAt(9_500)).toBe(60_000);
  expect(pace.freeAt(60_000)).toBe(0);
});

test('a clock that was set back does not keep anybody waiting', () => {
  const pace = createPace();
  for (let i = 0; i < 10; i++) pace.noteFailure(1_000_000 + i);
  expect(pace.freeAt(500_000)).toBe(0);
});

test('however often a try is wanted, no minute sees more than ten that fail', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000), { maxLength: 100 }), (waits) => {
      const pace = createPace();
      const tries: number[] = [];
      let now = 0;
      for (const wait of waits) {
        now += wait;
        if (pace.freeAt(now) > now) continue;
        tries.push(now);
        pace.noteFailure(now);
      }
      for (const start of tries) {
        const inAMinute = tries.filter((at) => at >= start && at < start + 60_000);
        expect(inAMinute.length).toBeLessThanOrEqual(10);
      }
    }),
  );
});
