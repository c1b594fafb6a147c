import { afterEach, expect, test, vi } from 'vitest';
import { deviceOffsetText } from '#client/features/settings/zone/zone-offer.tsx';

afterEach(() => vi.restoreAllMocks());

test.each([
  [0, 'UTC+0'],
  [-60, 'UTC+1'],
  [300, 'UTC−5'],
  [-330, 'UTC+5:30'],
  [210, 'UTC−3:30'],
  [-765, 'UTC+12:45'],
])('a clock that is %i minutes behind UTC is at %s', (minutesBehind, text) => {
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(minutesBehind);
  expect(deviceOffsetText(0)).toBe(text);
});
