import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { fakeApi } from '../../../../support/component/api.ts';
import { openApp, signInAs } from '../../../../support/component/open-app.tsx';
import { opRow, plantRow } from '../../../../support/device/device-rows.ts';

test('persistent storage is requested when the first change waits to be sent, once in the browser and once in the installed app', async () => {
  fakeApi();
  const persist = vi.spyOn(navigator.storage, 'persist').mockResolvedValue(true);
  onTestFinished(() => persist.mockRestore());
  const db = await signInAs();
  await db.plants.add(plantRow());
  await openApp('/dashboard/analytics');
  const waiting = page.getByText('1 change waiting', { exact: true }).first();
  /** Waits for the transaction that stores whether the browser was asked for persistent storage, if one is running. */
  const untilRecorded = () => db.transaction('rw', db.meta, () => db.meta.count());
  const makeChange = async () => {
    await db.outbox.add(opRow({ type: 'water', occurredAt: Date.now() }));
    await expect.element(waiting).toBeInTheDocument();
    await untilRecorded();
  };
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await untilRecorded();
  expect(persist).not.toHaveBeenCalled();

  await makeChange();
  await expect.poll(() => persist.mock.calls.length).toBe(1);

  await db.outbox.clear();
  await expect.element(waiting).not.toBeInTheDocument();
  await makeChange();
  expect(persist).toHaveBeenCalledTimes(1);

  await db.outbox.clear();
  await expect.element(waiting).not.toBeInTheDocument();
  Object.defineProperty(navigator, 'standalone', { value: true, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'standalone'));
  await makeChange();
  await expect.poll(() => persist.mock.calls.length).toBe(2);

  await db.outbox.clear();
  await expect.element(waiting).not.toBeInTheDocument();
  await makeChange();
  expect(persist).toHaveBeenCalledTimes(2);
});
