import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { DeviceDb } from '#client/store/schema.ts';
import { fakeApi } from '../../../support/component/api.ts';
import { button } from '../../../support/component/form.ts';
import {
  acceptNext,
  dayMs,
  dialog,
  hourMs,
  monty,
  plantCard,
  pullPlants,
  pullReadings,
  readingAgo,
  setSync,
  wateredAgo,
  zed,
} from '../../../support/component/garden.ts';
import { openApp, signInAs } from '../../../support/component/open-app.tsx';
import { fillNames, goToLastStep } from '../../../support/component/plant-form.ts';
import { translatePage } from '../../../support/component/translate-page.ts';

let db: DeviceDb;
beforeEach(async () => {
  vi.setSystemTime(Date.UTC(2026, 10, 20, 5));
  fakeApi();
  db = await signInAs();
  await pullPlants(db, [monty(), zed()]);
});
afterEach(() => vi.useRealTimers());

test('Water Now works on a translated page', async () => {
  await openApp('/dashboard');
  await expect.element(button('Water Now: Zed')).toBeVisible();
  translatePage();
  await button('Water Now: Zed').click();
  await expect.element(plantCard('Zed').getByRole('button', { name: 'Watering...' })).toBeVisible();
  translatePage();
  await acceptNext(db, zed(wateredAgo(0, 14)));
  await expect.element(button('Water Now: Zed')).toBeEnabled();
  await expect.element(button('Water Now: Zed')).toHaveTextContent('Water Now');
});

test('Water all works on a translated page', async () => {
  await openApp('/dashboard');
  await button('Water all 2').click();
  await expect.element(dialog('Water All')).toBeVisible();
  translatePage();
  await button('Water 2 Plants').click();
  await expect.element(dialog()).not.toBeInTheDocument();
  await expect.element(plantCard('Zed').getByText('Waiting to be sent')).toBeVisible();
});

test('a plant becomes overdue on a translated schedule', async () => {
  await pullPlants(db, [monty(wateredAgo(7 * dayMs - hourMs, 7))]);
  await openApp('/dashboard/schedule');
  const item = page.getByRole('article').filter({ hasText: 'Monty' });
  await expect.element(item.getByText('1h remaining')).toBeVisible();
  translatePage();
  vi.setSystemTime(Date.now() + 2 * hourMs);
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.element(item.getByText('Overdue')).toBeVisible();
});

test('a plant gets worse in a translated dialog', async () => {
  await openApp('/dashboard?plant=monty');
  await expect.element(dialog('Monty').getByText('Healthy')).toBeVisible();
  translatePage();
  await pullPlants(db, [monty({ health_status: 'Critical' })]);
  await expect.element(dialog('Monty').getByText('Needs attention')).toBeVisible();
});

test('a translated plant form shows its steps, and which plants have the same device', async () => {
  await pullPlants(db, [zed({ device_id: 'sprig-demo-01' })]);
  await setSync(db, { pulledAt: Date.now(), connectivity: 'online' });
  await openApp('/dashboard/plants?form=new');
  await expect.element(dialog('Add New Plant')).toBeVisible();
  translatePage();
  await fillNames('Newcomer');
  await goToLastStep();
  translatePage();
  const device = page.getByLabelText(/^Device ID/);
  await device.fill('sprig-demo-01');
  const hint = () =>
    expect.element(
      dialog()
        .getByRole('status')
        .filter({ hasText: /the same device ID/ }),
    );
  await hint().toHaveTextContent(/and 1 more have the same device ID/);
  translatePage();
  await pullPlants(db, [zed({ device_id: 'another-device' })]);
  await hint().toHaveTextContent(/Monty has the same device ID/);
  translatePage();
  await device.fill('');
  await hint().not.toBeInTheDocument();
  await expect.element(button('Add Plant')).toBeVisible();
});

test('new readings, the time of the last update and numbers of plants are shown on a translated page', async () => {
  await pullReadings(db, 'monty', [readingAgo(1, { soil_humidity: 50 })]);
  await setSync(db, { pulledAt: Date.now(), connectivity: 'unreachable' });
  await openApp('/dashboard');
  await expect.element(plantCard('Monty').getByText('50 %')).toBeVisible();
  const line = page.getByRole('status').filter({ hasText: 'Server not reachable.' });
  await expect.element(line).toHaveTextContent('Last updated 12:00 PM');
  translatePage();
  await pullReadings(db, 'monty', [readingAgo(0, { soil_humidity: 31 })]);
  await setSync(db, { pulledAt: Date.now() + hourMs, connectivity: 'unreachable' });
  await expect.element(plantCard('Monty').getByText('31 %')).toBeVisible();
  await expect.element(line).toHaveTextContent('Last updated 1:00 PM');
  await page.getByLabelText('Search plants').fill('Zed');
  const heading = page.getByRole('heading', { level: 2 });
  await expect.element(heading.filter({ hasText: 'All Plants' })).toHaveTextContent('(1)');
  const filters = page.getByLabelText('Filter plants');
  await expect.element(filters).toHaveTextContent('Needs Water (1)');
  await button('Water Now: Zed').click();
  await expect.element(filters).toHaveTextContent('Needs Water (0)');
  await filters.selectOptions('Needs Attention');
  await expect.element(heading.filter({ hasText: '(' })).toHaveTextContent('Needs Attention (0)');
});
