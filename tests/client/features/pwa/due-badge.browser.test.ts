import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { addWatering } from '#client/store/outbox/waterings.ts';
import type { DeviceDb } from '#client/store/schema.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { button } from '../../../support/component/form.ts';
import {
  acceptNext,
  announced,
  dayMs,
  hourMs,
  monty,
  pullPlants,
  wateredAgo,
  zed,
} from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';

let db: DeviceDb;
beforeEach(async () => {
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty(), zed()]);
});

test('the app icon has a badge with the number of plants that need water, until sign-out', async () => {
  const badge = vi.spyOn(navigator, 'setAppBadge').mockResolvedValue();
  const app = await openApp('/dashboard');
  await expect.poll(() => badge.mock.lastCall).toEqual([1]);
  await button('Water Now: Zed').click();
  await acceptNext(db, zed(wateredAgo(0, 14)));
  await expect.poll(announced).toBe('Zed watered');
  await expect.poll(() => badge.mock.lastCall).toEqual([0]);
  await db.plants.delete('zed');
  await pullPlants(db, [zed()]);
  await expect.poll(() => badge.mock.lastCall).toEqual([1]);
  await button('User menu').click();
  await button('Sign Out').click();
  await expect.poll(() => app.url()).toMatch(/^\/signin/);
  await expect.poll(() => badge.mock.lastCall).toEqual([0]);
  badge.mockRestore();
  // Sign-out deletes the database last. Wait for that, because the end of the test deletes it too.
  const names = async () => (await indexedDB.databases()).map(({ name }) => name);
  await expect.poll(names).not.toContain(db.name);
});

test('the badge of a digest that counts the whole day is replaced when its plant is watered and when the app is shown again', async () => {
  const badge = vi.spyOn(navigator, 'setAppBadge').mockResolvedValue();
  onTestFinished(() => badge.mockRestore());
  await pullPlants(db, [zed(wateredAgo(14 * dayMs - hourMs, 14))]);
  await openApp('/dashboard');
  await expect.poll(() => badge.mock.lastCall).toEqual([0]);
  // As the service worker does when the digest arrives: the plant is due in an hour.
  await navigator.setAppBadge(3);
  await addWatering(db, 'zed', Date.now());
  await expect.poll(() => badge.mock.lastCall).toEqual([0]);
  await navigator.setAppBadge(3);
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(() => badge.mock.lastCall).toEqual([0]);
});
