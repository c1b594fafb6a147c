import { expect, test } from 'vitest';
import { clockText, updatedText } from '#client/features/changes/status/status-lines.tsx';
import { defaultZone } from '#domain/zone.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

test.each<[serverAheadMs: number, text: RegExp]>([
  [31 * minuteMs, /clock is 1 hour behind/],
  [-hourMs, /clock is 1 hour ahead, so plants look due too early/],
  [5 * hourMs, /clock is 5 hours behind, so plants look due too late/],
  [-24 * hourMs, /clock is 1 day ahead/],
  [23.6 * hourMs, /clock is 1 day behind/],
  [400 * 24 * hourMs, /clock is 400 days behind/],
])(
  'says how wrong the device’s clock is when the server’s is %d ms ahead',
  (serverAheadMs, text) => {
    expect(clockText(serverAheadMs)).toMatch(text);
  },
);

test('the last update is shown without its date only if it was on the same day in the zone', () => {
  const pulledAt = Date.UTC(2026, 10, 20, 16, 50);
  expect(updatedText(pulledAt, pulledAt + 9 * minuteMs, defaultZone)).toBe('11:50 PM');
  expect(updatedText(pulledAt, pulledAt + 10 * minuteMs, defaultZone)).toBe(
    'Nov 20, 2026, 11:50 PM',
  );
});
