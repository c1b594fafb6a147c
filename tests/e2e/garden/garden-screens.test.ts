import type { Page } from 'playwright';
import { beforeAll, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import type { Phone } from '../support/phone/browser.ts';
import { fillSignIn } from '../support/screens/garden.ts';
import { dialog } from '../support/screens/plant-dialog.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { setGarden } from '../support/server/garden-rows.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
let page: Page;
beforeAll(async () => {
  const made = await setUp();
  ({ server, phone } = made);
  page = phone.page;
  return made.close;
});

/** Navigates within the page, so that pending requests are not aborted. */
async function go(screen: string): Promise<void> {
  const sidebar = page.getByRole('navigation', { name: 'Main' });
  await sidebar.getByRole('link', { name: screen, exact: true }).click();
  await page.getByRole('heading', { name: screen, level: 1 }).waitFor();
}

test('screens say what they load until the first response arrives; after a failure they say what failed and offer to try again', async () => {
  let isBroken = true;
  let answered = deferred();
  await phone.context.route('**/api/**', async (route) => {
    await answered.promise;
    if (isBroken) await route.fulfill({ status: 500, json: { message: 'Out of order' } });
    else await route.continue();
  });
  await setGarden(server, []);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/dashboard');
  await fillSignIn(page);
  await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('Loading dashboard data...').waitFor();
  await page.getByText('Monitor and manage your plants').waitFor();
  await go('My Plants');
  await page.getByText('Loading plants...').waitFor();
  await page.getByText('Manage your plant collection').waitFor();
  answered.resolve();
  await page.goto('/dashboard/plants?plant=anyone');
  await dialog(page).getByRole('alert').filter({ hasText: 'Failed to load plant data' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  const failures = [
    ['My Plants', 'Failed to load plants data'],
    ['Watering Schedule', 'Failed to load watering schedule'],
    ['Dashboard', 'Failed to load dashboard data'],
  ] as const;
  for (const [screen, failed] of failures) {
    await go(screen);
    await page.getByRole('alert').filter({ hasText: failed }).waitFor();
    answered = deferred();
    const asked = phone.context.waitForEvent('request', (request) =>
      request.url().endsWith('/api/plants'),
    );
    await page.getByRole('button', { name: 'Try Again' }).click();
    await asked;
    isBroken = screen !== 'Dashboard';
    answered.resolve();
  }
  await page.getByRole('heading', { name: 'No Plants Yet' }).waitFor();
  await phone.context.unrouteAll({ behavior: 'ignoreErrors' });
});
