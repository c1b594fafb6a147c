import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Phone } from '../support/phone/browser.ts';
import { isFocused } from '../support/phone/focus.ts';
import { plantCard } from '../support/screens/garden.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  await phone.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  return made.close;
});
beforeEach(async () => {
  await server.query('DELETE FROM device_tokens');
  await phone.page.goto('/dashboard');
  await plantCard(phone.page, 'Monty').waitFor();
});

const devices = () => phone.page.getByRole('dialog', { name: 'Devices' });
const device = (id: string) => devices().getByRole('listitem').filter({ hasText: id });
const announced = (words: string) =>
  phone.page.locator('[aria-live]', { hasText: words }).waitFor({ state: 'attached' });

async function openDevices(): Promise<void> {
  await phone.page.getByRole('button', { name: 'User menu' }).click();
  await phone.page.getByRole('button', { name: 'Devices' }).click();
  await devices().getByLabel('Device ID').waitFor();
}

/** Adds a device through the screen and returns the secret that is shown. */
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
  const response = await fetch(`${server.url}/api/logs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ device_id: deviceId, soil_humidity: 61.5 }),
  });
  return response.status;
}

test('an added device posts readings with its secret until it is removed', async () => {
  const id = await deviceIdOf('Monty');
  await openDevices();
  await devices().getByText('No devices yet').waitFor();
  const secret = await addDevice(id);
  expect(await report(id, secret)).toBe(201);
  await devices().getByRole('button', { name: 'Copy secret' }).click();
  await announced('Secret copied');
  expect(await phone.page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
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
  await announced(`${id} removed`);
  await devices().getByText('No devices yet').waitFor();
  expect(await report(id, secret)).toBe(401);
});

test('a secret is shown once: after a reload it is neither on the page nor in the storage of the browser', async () => {
  await openDevices();
  const secret = await addDevice('pot-once');
  await phone.page.reload();
  await device('pot-once').getByText('Never used').waitFor();
  expect(await phone.page.locator('body').textContent()).not.toContain('sprig_');
  const kept = await phone.page.evaluate(everythingKept);
  expect(kept.includes('sprig.token')).toBe(true);
  expect(kept.includes(secret)).toBe(false);
});

/** Runs in the page: returns history.state and all content of this origin's storage, databases and caches. */
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
    for (const response of await cache.matchAll()) kept.push(await response.text());
  }
  return kept.join('\n');
}
