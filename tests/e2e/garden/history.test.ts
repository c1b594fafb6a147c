import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { openPhone, type Phone } from '../support/phone/browser.ts';
import { indicator, untilSynced } from '../support/phone/sync.ts';
import { signIn, waterNow } from '../support/screens/garden.ts';
import { addQuietPlant, openPlant, openTab } from '../support/screens/plant-dialog.ts';
import type { AppServer } from '../support/server/app-server.ts';
import { setUp } from '../support/set-up.ts';

const nickname = 'Hattie';

let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  const made = await setUp('/dashboard/plants');
  ({ server, phone } = made);
  await addQuietPlant(server, nickname);
  return made.close;
});

const entries = (page: Page) =>
  page.getByRole('tabpanel', { name: 'History' }).getByRole('listitem');

/** The titles of the plant's history, newest first. */
async function titles(page: Page): Promise<string[]> {
  const texts = await entries(page).locator('p').allTextContents();
  return texts.filter((text) => /^(Watered|Fertilized|Note$)/.test(text));
}

async function addFromCard(
  page: Page,
  what: string,
  fields: Record<string, string>,
): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${nickname}` }).click();
  await page.getByRole('menuitem', { name: 'Add to history…' }).click();
  const form = page.getByRole('form', { name: `Add to history of ${nickname}` });
  await form.getByLabel('What').selectOption(what);
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value);
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Close dialog' }).click();
}

/** What the server has stored, as text: all entries of the plant, and the snoozes of the plant `snoozed`. */
async function stored(snoozed: string): Promise<string[]> {
  const rows = await server.query<{ text: string }>(
    `SELECT 'watered' AS text FROM waterings w
       JOIN plants p ON p.user_id = w.user_id AND p.id = w.plant_id
       WHERE p.nickname = $1 AND w.removed_at IS NULL
     UNION ALL
     SELECT concat_ws(' ', j.type, j.note, j.days) FROM journal_entries j
       JOIN plants p ON p.user_id = j.user_id AND p.id = j.plant_id
       WHERE p.nickname = $1 OR (p.nickname = $2 AND j.type = 'snoozed')
     ORDER BY text`,
    [nickname, snoozed],
  );
  return rows.map(({ text }) => text);
}

test('history entries made offline survive a reload, reach the server exactly once and are shown on another device', async () => {
  const { page } = phone;
  await page.goto('/dashboard/plants');
  let snoozed = '';
  await waterNow(page, nickname).waitFor();
  // Aborting requests is not enough: those of a worker that is just being started are not intercepted yet.
  await server.kill();
  await waterNow(page, nickname).click();
  const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 16);
  await addFromCard(page, 'Fertilized', { 'Date and time': weekAgo });
  await addFromCard(page, 'Note', { Note: 'A new leaf' });
  await page.goto('/dashboard/schedule');
  const first = page.getByRole('button', { name: /^Soil is still wet: / }).first();
  snoozed = (await first.getAttribute('aria-label'))?.replace(/^.*: /, '') ?? '';
  // By its name, because the order of the list may change meanwhile.
  await page.getByRole('button', { name: `Soil is still wet: ${snoozed}` }).click();
  await page.getByRole('menuitem', { name: 'Ask again in 3 days' }).click();
  await page.getByRole('button', { name: `Soil is still wet: ${snoozed}` }).waitFor({
    state: 'detached',
  });

  await page.reload();
  await expect.poll(() => indicator(page).getAttribute('aria-label')).toMatch(/^4 changes waiting/);
  await page.getByRole('link', { name: nickname, exact: true }).click();
  await openTab(page, 'History');
  await expect.poll(() => titles(page)).toEqual(['Note', 'Watered by hand', 'Fertilized']);
  expect(await stored(snoozed)).toEqual([]);
  await server.start();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  const expected = ['fertilized', 'note A new leaf', 'snoozed 3', 'watered'];
  await expect.poll(() => stored(snoozed), { timeout: 40_000 }).toEqual(expected);
  await untilSynced(page);
  await expect
    .poll(async () => (await entries(page).allTextContents()).join())
    .not.toMatch(/Waiting/);
  expect(await stored(snoozed)).toEqual(expected);

  const other = await openPhone(server.url, { withoutServiceWorker: true });
  await signIn(other.page, '/dashboard/plants');
  await openPlant(other.page, nickname);
  await openTab(other.page, 'History');
  await expect.poll(() => titles(other.page)).toEqual(['Note', 'Watered by hand', 'Fertilized']);
  await other.page.goto('/dashboard/schedule');
  await other.page.getByRole('article').first().waitFor();
  expect(
    await other.page.getByRole('button', { name: `Soil is still wet: ${snoozed}` }).count(),
  ).toBe(0);
  expect(other.problems).toEqual([]);
  expect(phone.problems).toEqual([]);
  await other.close();
});
