import { beforeAll, beforeEach, expect, test } from 'vitest';
import { barriersInBothThemes } from './support/accessibility.ts';
import type { AppServer } from './support/app-server.ts';
import type { Phone } from './support/browser.ts';
import { isFocused } from './support/focus.ts';
import { plantCard, signIn } from './support/garden.ts';
import { setUp } from './support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp();
  ({ server, phone } = made);
  await phone.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(phone.page);
  return made.close;
});
beforeEach(async () => {
  await server.query('DELETE FROM device_tokens');
  await phone.page.goto('/dashboard');
  await plantCard(phone.page, 'Monty').waitFor();
});

const devices = () => phone.page.getByRole('dialog', { name: 'Devices' });
const device = (id: string) => devices().getByRole('listitem').filter({ hasText: id });
const said = (words: string) =>
  phone.page.locator('[aria-live]', { hasText: words }).waitFor({ state: 'attached' });

async function openDevices(): Promise<void> {
  await phone.page.getByRole('button', { name: 'User menu' }).click();
  await phone.page.getByRole('button', { name: 'Devices' }).click();
  await devices().getByLabel('Device ID').waitFor();
}

/** Adds a device as a person does, and gives the secret that is shown. */
async function addDevice(id: string): Promise<string> {
  await devices().getByLabel('Device ID').fill(id);
  await devices().getByRole('button', { name: 'Add device' }).click();
  await devices().getByText('it will not be shown again').waitFor();
  const secret = devices().locator('code', { hasText: /^sprig_/ });
  return (await secret.textContent()) ?? '';
}

async function deviceIdOf(nickname: string): Promise<string> {
  const id = `pot-of-${nickname}`;
  await server.query('UPDATE plants SET device_id = $1 WHERE nickname = $2', [id, nickname]);
  return id;
}

async function report(deviceId: string, secret: string): Promise<number> {
  const answer = await fetch(`${server.url}/api/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ device_id: deviceId, soil_humidity: 61.5 }),
  });
  return answer.status;
}

test('an added device posts readings with its secret until it is removed', async () => {
  const id = await deviceIdOf('Monty');
  await openDevices();
  await devices().getByText('No devices yet').waitFor();
  const secret = await addDevice(id);
  expect(await report(id, secret)).toBe(201);
  await devices().getByRole('button', { name: 'Copy secret' }).click();
  await devices().getByRole('button', { name: 'Done' }).click();
  await phone.page.reload();
  await device(id)
    .getByText(/^Added .*\d{4}$/)
    .waitFor();
  await device(id)
    .getByText(/^Last used .*[AP]M$/)
    .waitFor();

  await device(id)
    .getByRole('button', { name: `Remove ${id}` })
    .click();
  const keep = device(id).getByRole('button', { name: 'Keep' });
  await expect.poll(() => isFocused(keep)).toBe(true);
  await device(id).getByRole('button', { name: 'Remove device' }).click();
  await said(`${id} removed`);
  await devices().getByText('No devices yet').waitFor();
  expect(await report(id, secret)).toBe(401);
});

test('cancelling the removal of a device keeps its token valid and returns the focus', async () => {
  await openDevices();
  const secret = await addDevice(await deviceIdOf('Monty'));
  await device('pot-of-Monty').getByRole('button', { name: 'Remove' }).click();
  await device('pot-of-Monty').getByRole('button', { name: 'Keep' }).click();
  const remove = device('pot-of-Monty').getByRole('button', { name: 'Remove' });
  await expect.poll(() => isFocused(remove)).toBe(true);
  expect(await report('pot-of-Monty', secret)).toBe(201);
});

test('the secret, and a command that uses it, can be copied, and copying is announced', async () => {
  const id = await deviceIdOf('Monty');
  await openDevices();
  const secret = await addDevice(id);
  const clipboard = () => phone.page.evaluate(() => navigator.clipboard.readText());
  await devices().getByRole('button', { name: 'Copy secret' }).click();
  await said('Secret copied');
  expect(await clipboard()).toBe(secret);
  await devices().getByRole('button', { name: 'Copy command' }).click();
  await said('Command copied');
  const line = await clipboard();
  expect(line).toContain(`${server.url}/api/logs`);
  expect(line).toContain(secret);
});

test('a secret is shown once: neither a reload nor the device knows it afterwards', async () => {
  await openDevices();
  const secret = await addDevice('pot-once');
  await phone.page.reload();
  await device('pot-once').getByText('Never used').waitFor();
  expect(await phone.page.locator('body').textContent()).not.toContain('sprig_');
  const kept = await phone.page.evaluate(everythingKept);
  expect(kept.includes('sprig.token')).toBe(true);
  expect(kept.includes(secret)).toBe(false);
});

test('closing the sheet with a secret that was not copied asks first', async () => {
  await openDevices();
  const secret = await addDevice('pot-slip');
  await phone.page.keyboard.press('Escape');
  await phone.page.getByRole('button', { name: 'Back to the secret' }).click();
  await devices().getByText(secret, { exact: true }).waitFor();
  await phone.page.keyboard.press('Escape');
  await phone.page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await phone.page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(new URL(phone.page.url()).search).toBe('');
});

test('devices that cannot be loaded show an error, and Try again loads them', async () => {
  const { page, context } = phone;
  await context.route('**/api/device-tokens**', (route) => route.abort());
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('button', { name: 'Devices' }).click();
  await devices().getByText('Devices need a network connection.').waitFor();
  await context.unrouteAll();
  await devices().getByRole('button', { name: 'Try again' }).click();
  await devices().getByLabel('Device ID').fill('pot-offline');
  await context.route('**/api/device-tokens**', (route) => route.abort());
  await devices().getByRole('button', { name: 'Add device' }).click();
  await devices().getByText('Devices need a network connection.').waitFor();
  expect(await devices().getByLabel('Device ID').inputValue()).toBe('pot-offline');
  await context.unrouteAll();
});

test('devices are loaded automatically when the network is back', async () => {
  const { page, context } = phone;
  await openDevices();
  await page.keyboard.press('Escape');
  await devices().waitFor({ state: 'detached' });
  await context.setOffline(true);
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('button', { name: 'Devices' }).click();
  await devices().getByText('Devices need a network connection.').waitFor();
  await context.setOffline(false);
  // On a machine without any network interface the browser itself never says so.
  await page.evaluate(() => navigator.onLine || window.dispatchEvent(new Event('online')));
  await devices().getByText('No devices yet').waitFor();
});

test('devices are accessible and fit on the narrowest phone', async () => {
  const { page } = phone;
  await page.setViewportSize({ width: 320, height: 640 });
  await openDevices();
  await devices().getByRole('button', { name: 'Add device' }).click();
  await devices().getByText('Device ID is required').waitFor();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await addDevice('a-rather-long-device-id-of-the-kind-that-makers-print-on-boxes-0123456789');
  await devices()
    .getByRole('button', { name: /^Remove/ })
    .click();
  expect(await barriersInBothThemes(page)).toEqual([]);
  expect(await page.evaluate(tooSmallOrTooWide)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
});

test('an ended session leads to sign-in', async () => {
  await openDevices();
  await server.query('DELETE FROM sessions');
  await devices().getByLabel('Device ID').fill('pot-late');
  await devices().getByRole('button', { name: 'Add device' }).click();
  await phone.page.waitForURL('**/signin**');
  await phone.page.getByText('Authentication required').waitFor();
});

/** In the page: all that storage, databases and caches hold of this origin's answers. */
async function everythingKept(): Promise<string> {
  const kept = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
  kept.push(JSON.stringify(history.state));
  for (const { name = '' } of await indexedDB.databases()) {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    for (const store of db.objectStoreNames) {
      const rows = await new Promise<unknown[]>((resolve, reject) => {
        const reading = db.transaction(store).objectStore(store).getAll();
        reading.onsuccess = () => resolve(reading.result);
        reading.onerror = () => reject(reading.error);
      });
      kept.push(JSON.stringify(rows));
    }
    db.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const answer of await cache.matchAll()) kept.push(await answer.text());
  }
  return kept.join('\n');
}

/** In the page: what a finger misses in the dialog, or what makes it scroll sideways. */
function tooSmallOrTooWide(): string[] {
  const dialog = document.querySelector('[role="dialog"]');
  if (!dialog) return ['no dialog'];
  return [...dialog.querySelectorAll('*')]
    .filter((el) => {
      const { width, height, right } = el.getBoundingClientRect();
      const isTapped = el.matches('button, input') && (width < 44 || height < 44);
      return isTapped || right > window.innerWidth;
    })
    .map((el) => el.outerHTML.slice(0, 80));
}
