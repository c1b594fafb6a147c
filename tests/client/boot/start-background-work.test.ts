import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchResponding } from '../../support/device/fetch-stub.ts';

const rosa = { username: 'Rosa', email: 'rosa@garden.org', is_verified: true };
const noStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

const renewPush = vi.fn(async () => undefined);
const startSavingSnapshots = vi.fn();
let page: EventTarget & { visibilityState: string };
let permission: NotificationPermission;
beforeEach(() => {
  vi.resetModules();
  vi.doMock('#client/boot/sync-link.ts', () => ({ linkSync: () => undefined }));
  vi.doMock('#client/session/push-subscription.ts', () => ({ renewPush }));
  vi.doMock('#client/session/garden-snapshot-writer.ts', () => ({ startSavingSnapshots }));
  renewPush.mockClear();
  startSavingSnapshots.mockClear();
  permission = 'granted';
  const Notification = {
    get permission() {
      return permission;
    },
  };
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const storages = { localStorage: noStorage, sessionStorage: noStorage };
  vi.stubGlobal('window', Object.assign(new EventTarget(), { ...storages, Notification }));
  vi.stubGlobal('Notification', Notification);
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const mocked of [
    '#client/boot/sync-link.ts',
    '#client/session/push-subscription.ts',
    '#client/session/garden-snapshot-writer.ts',
  ]) {
    vi.doUnmock(mocked);
  }
  // The started page follows its session. A later file must not get the same module of the session.
  vi.resetModules();
});

async function startPage() {
  const { startBackgroundWork } = await import('#client/boot/background-work.ts');
  const { openSession } = await import('#client/session/session.ts');
  return { openSession, start: () => startBackgroundWork('/assets/main-1.js') };
}

test('the push subscription is renewed at the start and after each sign-in, but not when the profile changes', async () => {
  const { openSession, start } = await startPage();
  await openSession('a.b.c', rosa);
  start();
  await expect.poll(() => renewPush).toHaveBeenCalledTimes(1);
  await openSession('a.b.c', { ...rosa, username: 'Rosalind' });
  await openSession('d.e.f', rosa);
  await expect.poll(() => renewPush).toHaveBeenCalledTimes(2);
  await vi.dynamicImportSettled();
  expect(renewPush).toHaveBeenCalledTimes(2);
});

test('without the permission for notifications no push subscription is renewed', async () => {
  permission = 'default';
  const { openSession, start } = await startPage();
  await openSession('a.b.c', rosa);
  start();
  await vi.dynamicImportSettled();
  expect(renewPush).not.toHaveBeenCalled();
});

test('snapshots are saved from the first sign-in on, once for all sign-ins', async () => {
  const { openSession, start } = await startPage();
  start();
  await vi.dynamicImportSettled();
  expect(startSavingSnapshots).not.toHaveBeenCalled();
  await openSession('a.b.c', rosa);
  await openSession('d.e.f', rosa);
  await expect.poll(() => startSavingSnapshots).toHaveBeenCalled();
  await vi.dynamicImportSettled();
  expect(startSavingSnapshots.mock.calls).toEqual([['/assets/main-1.js']]);
});

test('the start makes the page request the profile when it is shown again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { fetch, calls } = fetchResponding(200, rosa);
  vi.stubGlobal('fetch', fetch);
  const { openSession, start } = await startPage();
  await openSession('a.b.c', rosa);
  start();
  vi.setSystemTime(Date.now() + 300_000);
  page.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(() => calls.map(({ url }) => url)).toEqual(['/auth/me']);
});
