import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AppServer, openAppServer } from './support/app-server.ts';
import { openPhone, type Phone } from './support/browser.ts';
import { plantCard, signIn, waterNow } from './support/garden.ts';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  server = await openAppServer();
  await server.start();
  phone = await openPhone(server.url);
  await signIn(phone.page);
});
afterAll(async () => {
  await phone.close();
  await server.close();
});

const readingsOf = (nickname: string) =>
  plantCard(phone.page, nickname).getByRole('list', { name: 'Latest readings' }).textContent();

test('a new reading shows without a reload', async () => {
  await server.query(
    `INSERT INTO sensor_logs SELECT p.user_id, p.id, now() + interval '1 minute', 33.3, 44.4, 22.2, 555
     FROM plants p WHERE p.nickname = 'Monty'`,
  );
  await phone.page.getByRole('button', { name: /Sync now/ }).click();
  await expect.poll(() => readingsOf('Monty')).toContain('33.3 %');
});

test('what one tab waters, another shows, and the server has it once', async () => {
  const before = new Date();
  const other = await phone.context.newPage();
  await other.goto('/dashboard');
  await plantCard(other, 'Zed').getByText('Water now!').waitFor();
  await waterNow(other, 'Zed').click();
  await plantCard(phone.page, 'Zed').getByText('In 14 days').waitFor();
  const count = () =>
    server.query('SELECT 1 FROM waterings WHERE watered_at >= $1', [before]).then((r) => r.length);
  await expect.poll(count).toBe(1);
  await other.close();
  expect(await count()).toBe(1);
  expect(phone.problems).toEqual([]);
});
