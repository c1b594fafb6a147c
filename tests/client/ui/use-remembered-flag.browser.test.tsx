import { afterEach, expect, test, vi } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { useRememberedFlag } from '#client/ui/use-remembered-flag.ts';

afterEach(() => vi.restoreAllMocks());

/** Reads the flag as a new screen does. */
const flag = (key: string) => renderHook(() => useRememberedFlag(key, false));

test('a flag is remembered', async () => {
  const first = await flag('test.stored');
  await first.act(() => first.result.current[1](true));
  expect(first.result.current[0]).toBe(true);
  await first.unmount();
  expect((await flag('test.stored')).result.current[0]).toBe(true);
  expect(window.localStorage.getItem('test.stored')).toBe('1');
});

test('if the browser cannot store a flag, it is remembered as long as the page is open', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const first = await flag('test.unstored');
  await first.act(() => first.result.current[1](true));
  await first.unmount();
  const second = await flag('test.unstored');
  expect(second.result.current[0]).toBe(true);
  await second.act(() => second.result.current[1](false));
  await second.unmount();
  expect((await flag('test.unstored')).result.current[0]).toBe(false);
});
