import { expect, test } from 'vitest';
import { isWebLockAwaited } from '#service-worker/lock-awaited.ts';

test('a lock is awaited while somebody waits for it, and not while it is only held or another one is awaited', async () => {
  const never = new Promise<void>(() => undefined);
  void navigator.locks.request('held', () => never);
  expect(await isWebLockAwaited('held')).toBe(false);
  const left = new AbortController();
  const options = { signal: left.signal };
  const waiting = navigator.locks.request('held', options, () => never).catch(() => 'left');
  expect(await isWebLockAwaited('held')).toBe(true);
  expect(await isWebLockAwaited('other')).toBe(false);
  left.abort();
  expect(await waiting).toBe('left');
  expect(await isWebLockAwaited('held')).toBe(false);
});
