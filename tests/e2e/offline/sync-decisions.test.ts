import type { Page } from 'playwright';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Phone } from '../support/phone/browser.ts';
import {
  indicator,
  notice,
  openAndPull,
  openChanges,
  untilSynced,
  withoutApi,
} from '../support/phone/sync.ts';
import { plantCard, signIn, waterNow } from '../support/screens/garden.ts';
import {
  editField,
  goToLastStep,
  rejectedName,
  untilClosed,
} from '../support/screens/plant-form.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { requestAsDemo } from '../support/server/demo-api.ts';
import { plantsNamed } from '../support/server/plants-named.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
let page: Page;
beforeAll(async () => {
  // A new phone: Playwright does not intercept a service worker that an earlier browser process has installed.
  const made = await setUp();
  ({ server, phone } = made);
  await signIn(phone.page, '/dashboard/plants');
  page = phone.page;
  return made.close;
});
beforeEach(() => openAndPull(page, '/dashboard/plants'));

/** Makes an edit offline that the server then rejects. */
async function refuseEditOf(nickname: string): Promise<void> {
  await withoutApi(phone, async () => {
    await editField(page, nickname, /^Nickname/, rejectedName);
    await plantCard(page, rejectedName).getByText('Waiting to be sent').waitFor();
  });
}

test('a waiting change is listed in plain words, and the list has its own URL', async () => {
  await withoutApi(phone, async () => {
    await waterNow(page, 'Monty').click();
    await plantCard(page, 'Monty').getByText('Waiting to be sent').waitFor();
    await expect
      .poll(() => indicator(page).getAttribute('aria-label'))
      .toBe('1 change waiting, 1 waiting. Sync details');
    await openChanges(page);
    const item = page.getByRole('listitem').filter({ hasText: 'Water Monty' });
    await item
      .getByText(
        /^tapped \d+:\d\d [AP]M, (waiting for (the server|network)|sent, waiting for the response)$/,
      )
      .waitFor();
    await page.reload();
    await page.getByRole('dialog', { name: 'Changes' }).waitFor();
  });
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByText('The server has everything that you did here.').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect
    .poll(() => indicator(page).getAttribute('aria-label'))
    .toMatch(/^All saved at \d+:\d\d [AP]M\. Sync details$/);
  await expect
    .poll(() => page.locator('body').textContent())
    .not.toMatch(/pending|queued|waiting|to sync/i);
});

test('a rejected change can be retried, edited or, after a confirmation, discarded; its notice does not cover the last button of the list', async () => {
  await refuseEditOf('Monty');
  const card = notice(page);
  await card.getByText(`Edit of ${rejectedName} could not be saved`, { exact: true }).waitFor();
  expect(await card.textContent()).toContain('nickname: ');
  // The notice does not cover the last button once that is scrolled into view.
  const last = page
    .getByRole('article')
    .last()
    .getByRole('button', { name: /^Water Now/ });
  await last.scrollIntoViewIfNeeded();
  await last.click({ trial: true });
  await openChanges(page);
  const item = page.getByRole('listitem').filter({ hasText: 'could not be saved' });
  const retried = page.waitForEvent('requestfinished', (request) => request.method() === 'PUT');
  await item.getByRole('button', { name: /^Retry/ }).click();
  await retried;
  // The change is rejected again, so it is listed again with the reason.
  await item.getByText(/nickname: /).waitFor();
  await item.getByRole('button', { name: /^Edit/ }).click();
  await page.getByLabel(/^Nickname/).fill('Monty');
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await untilClosed(page);
  await plantCard(page, 'Monty').waitFor();
  await untilSynced(page);

  await refuseEditOf('Monty');
  await notice(page).getByRole('button', { name: 'Show' }).click();
  await item.getByRole('button', { name: /^Discard/ }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await item.getByRole('button', { name: /^Discard/ }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await page.getByText('The server has everything that you did here.').waitFor();
  await page.goBack();
  await plantCard(page, 'Monty').waitFor();
  expect(await plantsNamed(server, 'Monty')).toHaveLength(1);
  expect(phone.problems).toEqual([]);
});

test('a field changed on both sides keeps this device’s value, and the notice about it can undo that', async () => {
  await withoutApi(phone, async () => {
    await editField(page, 'Monty', /^Location/, 'Attic');
    const [monty] = await plantsNamed(server, 'Monty');
    const path = `/api/plants/${monty?.id}`;
    const record = await requestAsDemo(server, 'GET', path);
    await requestAsDemo(server, 'PUT', path, { ...record, location: 'Cellar' });
  });
  const card = notice(page);
  await card.getByText('Monty: location changed elsewhere too').waitFor();
  expect(await card.textContent()).toContain('Yours, Attic, replaced Cellar.');
  expect(await plantsNamed(server, 'Monty')).toMatchObject([{ location: 'Attic' }]);
  await card.getByRole('button', { name: 'Undo' }).click();
  await card.waitFor({ state: 'detached' });
  await expect.poll(() => plantsNamed(server, 'Monty')).toMatchObject([{ location: 'Cellar' }]);
  await expect.poll(() => card.count()).toBe(0);
});

test('a plant deleted elsewhere can be restored as a new one, with the changes of this device', async () => {
  const [before] = await plantsNamed(server, 'Zed');
  const tapped = new Date();
  await withoutApi(phone, async () => {
    await waterNow(page, 'Zed').click();
    await plantCard(page, 'Zed').getByText('Waiting to be sent').waitFor();
    await requestAsDemo(server, 'DELETE', `/api/plants/${before?.id}`);
  });
  const card = notice(page);
  await card.getByText('Watering of Zed could not be saved: it was deleted elsewhere').waitFor();
  await plantCard(page, 'Zed').waitFor({ state: 'detached' });
  await card.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('button', { name: 'Restore as new: Water Zed' }).click();
  await page.getByText('The server has everything that you did here.').waitFor();
  await page.goBack();
  await plantCard(page, 'Zed').waitFor();
  const [after, ...others] = await plantsNamed(server, 'Zed');
  expect(others).toEqual([]);
  expect(after?.id).not.toBe(before?.id);
  const waterings = await server.query<{ watered_at: Date }>(
    'SELECT watered_at FROM waterings WHERE plant_id = $1',
    [after?.id],
  );
  expect(waterings).toHaveLength(1);
  expect(waterings[0]?.watered_at.getTime()).toBeGreaterThanOrEqual(tapped.getTime());
  expect(phone.problems).toEqual([]);
});
