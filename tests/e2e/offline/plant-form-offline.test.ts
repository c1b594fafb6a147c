import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Phone } from '../support/phone/browser.ts';
import { rowsOf } from '../support/phone/device-db.ts';
import { indicator, retryTimeout } from '../support/phone/sync.ts';
import { plantCard, waterNow } from '../support/screens/garden.ts';
import {
  choose,
  editField,
  fillNames,
  goToLastStep,
  openAddForm,
  rejectedName,
  untilClosed,
} from '../support/screens/plant-form.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { plantsNamed } from '../support/server/plants-named.ts';
import { wateringsSince } from '../support/server/waterings.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard/plants');
  ({ server, phone } = made);
  return made.close;
});
beforeEach(() => phone.page.goto('/dashboard/plants'));

test('a plant added, edited and watered offline and the deletion of another one survive a restart and reach the server once', async () => {
  await server.kill();
  await phone.restart();
  await openAddForm(phone.page);
  await fillNames(phone.page, 'Newcomer');
  await goToLastStep(phone.page);
  await phone.page.getByRole('button', { name: 'Add Plant' }).click();
  await untilClosed(phone.page);
  await plantCard(phone.page, 'Newcomer').getByText('Waiting to be sent').waitFor();
  await editField(phone.page, 'Newcomer', /^Location/, 'Kitchen');
  const before = new Date();
  await waterNow(phone.page, 'Newcomer').click();
  // Not an exact list: the edit is coalesced into the create, unless the app has already tried to send the create.
  const ops = () => rowsOf<{ type: string }>(phone.page, 'outbox');
  await expect.poll(async () => (await ops()).map(({ type }) => type)).toContain('water');
  await choose(phone.page, 'Zed', 'Delete');
  await phone.page.getByRole('button', { name: 'Delete Plant' }).click();
  await untilClosed(phone.page);
  await expect.poll(() => plantCard(phone.page, 'Zed').count()).toBe(0);
  await phone.restart();
  await phone.page.goto('/dashboard/plants');
  await plantCard(phone.page, 'Newcomer').getByText('Waiting to be sent').waitFor();
  // Until the indicator appears, the cards may come from a snapshot made before the deletion.
  await indicator(phone.page).waitFor({ state: 'attached' });
  await expect.poll(() => plantCard(phone.page, 'Zed').count()).toBe(0);
  await server.start();
  await plantCard(phone.page, 'Newcomer')
    .getByText('Waiting to be sent')
    .waitFor({ state: 'detached', ...retryTimeout });
  expect(await plantsNamed(server, 'Newcomer')).toMatchObject([{ location: 'Kitchen' }]);
  expect(await wateringsSince(server, 'Newcomer', before)).toHaveLength(1);
  await expect.poll(() => plantsNamed(server, 'Zed'), retryTimeout).toEqual([]);
  expect(phone.problems).toEqual([]);
});

test('a plant that the server rejected in the background is marked, and created once corrected', async () => {
  const { page } = phone;
  await server.kill();
  await openAddForm(page);
  await fillNames(page, rejectedName);
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Add Plant' }).click();
  await untilClosed(page);
  await server.start();
  const refused = page.getByRole('article').filter({ hasText: 'Could not be saved' });
  await refused.waitFor(retryTimeout);
  await editField(page, rejectedName, 'Nickname', 'Latecomer');
  await plantCard(page, 'Latecomer').waitFor();
  await expect.poll(() => refused.count()).toBe(0);
  await expect.poll(() => plantsNamed(server, 'Latecomer')).toHaveLength(1);
});
