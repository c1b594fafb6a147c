import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { deferred } from '../../support/deferred.ts';
import { type Phone, passOn } from '../support/phone/browser.ts';
import { openAndPull, retryTimeout } from '../support/phone/sync.ts';
import { closeSidebar, lastUpdatedLine, plantCard, waterNow } from '../support/screens/garden.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { type Watering, wateringsSince } from '../support/server/waterings.ts';
import { setUp } from '../support/set-up.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard');
  ({ server, phone } = made);
  return made.close;
});
beforeEach(() => phone.page.goto('/dashboard'));

async function untilWatered(nickname: string, since: Date): Promise<Watering[]> {
  await expect
    .poll(async () => (await wateringsSince(server, nickname, since)).length, retryTimeout)
    .toBeGreaterThan(0);
  return wateringsSince(server, nickname, since);
}

test('online, a watering reaches the server at once and the plant is no longer due', async () => {
  const { page } = phone;
  const due = page.getByRole('article').filter({ hasText: 'Water now!' }).first();
  const nickname = (await due.getByRole('heading').textContent()) ?? '';
  const before = new Date();
  await waterNow(page, nickname).click();
  await expect.poll(() => plantCard(page, nickname).textContent()).not.toContain('Water now!');
  await expect.poll(() => plantCard(page, nickname).textContent()).not.toContain('Waiting');
  expect(await wateringsSince(server, nickname, before)).toHaveLength(1);
  expect(phone.problems).toEqual([]);
});

test('offline, the installed app shows plants and readings, and a watering survives reload and restart and reaches the server once', async () => {
  // setOffline takes effect too late for a worker that is just being started, so the server is killed as well.
  await phone.context.setOffline(true);
  await server.kill();
  await phone.page.goto('/dashboard');
  await plantCard(phone.page, 'Monty').waitFor();
  const before = new Date();
  await waterNow(phone.page, 'Monty').click();
  await plantCard(phone.page, 'Monty').getByText('Waiting to be sent').waitFor();
  const tappedBy = new Date();
  await phone.page.reload();
  await plantCard(phone.page, 'Monty').getByText('Waiting to be sent').waitFor();

  await phone.restart();
  await phone.page.goto('/dashboard/schedule');
  await phone.page.getByRole('heading', { name: 'Watering Schedule' }).waitFor();
  await expect.poll(() => phone.page.getByRole('article').count()).toBe(12);
  await phone.page.goto('/dashboard');
  await closeSidebar(phone.page);
  const readings = plantCard(phone.page, 'Monty').getByRole('list', { name: 'Latest readings' });
  await expect.poll(() => readings.textContent()).toMatch(/\d %/);
  await phone.page.getByText(lastUpdatedLine).waitFor();
  await plantCard(phone.page, 'Monty').getByText('Waiting to be sent').waitFor();
  expect(await wateringsSince(server, 'Monty', before)).toEqual([]);

  await server.start();
  const [watering, ...more] = await untilWatered('Monty', before);
  expect(more).toEqual([]);
  expect(watering?.source).toBe('manual');
  expect(watering?.watered_at.getTime()).toBeGreaterThanOrEqual(before.getTime());
  expect(watering?.watered_at.getTime()).toBeLessThanOrEqual(tappedBy.getTime());
  await plantCard(phone.page, 'Monty')
    .getByText('Waiting to be sent')
    .waitFor({ state: 'detached', ...retryTimeout });
  expect(phone.problems).toEqual([]);
});

test('a watering is stored once when the server is killed after storing it but before answering', async () => {
  const before = new Date();
  await openAndPull(phone.page, '/dashboard');
  onTestFinished(() => phone.context.unrouteAll({ behavior: 'ignoreErrors' }));
  const { promise: killed, resolve } = deferred();
  await phone.context.route('**/api/plants/*/water**', async (route) => {
    await passOn(route, server);
    await server.kill();
    await route.abort();
    resolve();
  });
  await waterNow(phone.page, 'Monty').click();
  await killed;
  await phone.context.unrouteAll();
  await plantCard(phone.page, 'Monty').getByText('Waiting to be sent').waitFor();
  expect(await wateringsSince(server, 'Monty', before)).toHaveLength(1);
  await server.start();
  await plantCard(phone.page, 'Monty')
    .getByText('Waiting to be sent')
    .waitFor({ state: 'detached', ...retryTimeout });
  expect(await wateringsSince(server, 'Monty', before)).toHaveLength(1);
});

test('a watering is stored once when the server is killed before receiving it and restarted', async () => {
  const before = new Date();
  server.freeze();
  // If the pull of this visit is still running, the watering is sent only after up to 2 s, when the pull is aborted.
  const sent = phone.context.waitForEvent('request', (request) => /\/water\b/.test(request.url()));
  await waterNow(phone.page, 'Monty').click();
  await sent;
  await server.kill();
  await plantCard(phone.page, 'Monty').getByText('Waiting to be sent').waitFor();
  await server.start();
  await untilWatered('Monty', before);
  await plantCard(phone.page, 'Monty')
    .getByText('Waiting to be sent')
    .waitFor({ state: 'detached', ...retryTimeout });
  expect(await wateringsSince(server, 'Monty', before)).toHaveLength(1);
});
