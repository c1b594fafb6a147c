import type { Page } from 'playwright';
import { rowsOf } from '../e2e/support/phone/device-db.ts';
import { dialog, openPlant } from '../e2e/support/screens/plant-dialog.ts';
import { type AppServer, openAppServer } from '../e2e/support/server/app-server.ts';
import type { Bench } from './support/bench.ts';
import { addEntries } from './support/browser/entries.ts';
import { addKeeper, phoneOf } from './support/browser/phones.ts';
import { answerMs, watchAnswers } from './support/browser/touch.ts';
import { type Start, slowPhone, start, startingPhone } from './support/browser/warm-start.ts';
import { withPhotoFiles } from './support/photo-files.ts';
import type { Part, Row } from './support/results/results.ts';
import { timesRow } from './support/results/times.ts';

const rounds = 12;
const photoCount = 20;
const rows: Row[] = [];

let server: AppServer;

async function open(): Promise<void> {
  server = await openAppServer();
  await server.start();
}

function section(): Part {
  return {
    title: 'History and photos',
    conditions: `390×844, the page's processor slowed to a quarter; median of at least ${rounds} rounds in which both took turns.
Opening a history: from the press on its tab to the frame that shows its newest entry; the device has stored the
newest 100 entries. The ${photoCount} photos of 12 megapixels were chosen without a network and wait to be sent; starts and
taps are measured as in the sections Warm offline start and Touch, without a server.`,
    rows,
  };
}

async function close(): Promise<void> {
  await server.close();
}

async function openHistories(): Promise<void> {
  const keeper = await addKeeper(server, 4, 'historian');
  const counts = { few: 10, many: 1_000 };
  await addEntries(server, 'Plant 0', counts.few);
  await addEntries(server, 'Plant 1', counts.many);
  const phone = await phoneOf(server, keeper, 4);
  await slowPhone(phone.context, phone.page);
  await watchAnswers(phone.page, ['mousedown']);
  const ms: Record<'few' | 'many', number[]> = { few: [], many: [] };
  for (let round = 0; round <= 2 * rounds; round += 1) {
    for (const name of inTurns(['few', 'many'] as const, round)) {
      const one = await openHistory(phone.page, name === 'few' ? 'Plant 0' : 'Plant 1');
      // The first round loads the entries from the server and is not counted.
      if (round > 0) ms[name].push(one);
    }
  }
  rows.push(
    timesRow(`a history of ${counts.many.toLocaleString('en')} entries opened`, ms.many, {
      name: `${counts.few} entries`,
      values: ms.few,
    }),
  );
  await phone.close();
}

async function openHistory(page: Page, nickname: string): Promise<number> {
  await openPlant(page, nickname);
  const panel = '[role="tabpanel"][data-state="active"]';
  const tab = page.getByRole('tab', { name: 'History' });
  const ms = await answerMs(page, panel, 'The newest note', () => tab.click());
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  return ms;
}

/** `again`: another phone without photos, which shows how far two equal phones differ. */
const phoneNames = ['bare', 'again', 'full'] as const;
type PhoneName = (typeof phoneNames)[number];

async function waitingPhotos(): Promise<void> {
  const phones = {
    bare: await startingPhone(server, await addKeeper(server, 24, 'keeper without photos'), 24),
    again: await startingPhone(server, await addKeeper(server, 24, 'another without photos'), 24),
    full: await startingPhone(server, await addKeeper(server, 24, 'keeper with photos'), 24),
  };
  await phones.full.page.goto('/dashboard');
  await server.kill();
  await takePhotos(phones.full.page);
  await phones.full.page.goto('about:blank');
  const starts: Record<PhoneName, Start[]> = { bare: [], again: [], full: [] };
  for (let round = 0; round <= 2 * rounds; round += 1) {
    for (const name of inTurns(phoneNames, round)) {
      const one = await start(phones[name].context, '/dashboard');
      // The first round is a warm-up and is not counted.
      if (round > 0) starts[name].push(one);
    }
  }
  const taps: Record<PhoneName, number[]> = { bare: [], again: [], full: [] };
  for (const name of phoneNames) {
    const { page, context } = phones[name];
    await page.goto('/dashboard');
    await slowPhone(context, page);
    await watchAnswers(page);
  }
  // Not the first plants: some were watered during the starts, and Plant 0 has the photos.
  for (let plant = 4; plant < 24; plant += 1) {
    for (const name of inTurns(phoneNames, plant)) {
      taps[name].push(await waterMs(phones[name].page, `Plant ${plant}`));
    }
  }
  const compared = (what: string, msOf: (name: PhoneName) => number[]) => {
    const none = { name: 'none', values: msOf('bare') };
    rows.push(
      timesRow(`${photoCount} photos wait: ${what}`, msOf('full'), none),
      timesRow(`no photos, a second phone: ${what}`, msOf('again'), none),
    );
  };
  compared('first cards', (name) => starts[name].map(({ cardsMs }) => cardsMs));
  compared('first tap that works', (name) => starts[name].map(({ tapMs }) => tapMs));
  compared('Water Now until the plant waits', (name) => taps[name]);
  for (const name of phoneNames) await phones[name].close();
  await server.start();
}

/** Adds the photos on the History tab of Plant 0, and waits until all of them are in the outbox. */
async function takePhotos(page: Page): Promise<void> {
  await openPlant(page, 'Plant 0');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Add photos' }).waitFor();
  await withPhotoFiles(page, photoCount, async (files) => {
    await page.locator('input[type="file"][aria-label="Photos"]').first().setInputFiles(files);
    while ((await rowsOf(page, 'outbox')).length < photoCount) await page.waitForTimeout(500);
  });
}

/** The time from a tap on a plant's Water Now to the frame that contains 'Waiting'. */
async function waterMs(page: Page, nickname: string): Promise<number> {
  await page.bringToFront();
  const card = page.getByRole('article', { name: nickname, exact: true });
  const selector = `article:has(h3[id="${await card.getByRole('heading').getAttribute('id')}"])`;
  await card.scrollIntoViewIfNeeded();
  const water = card.getByRole('button', { name: /^Water/ });
  return answerMs(page, selector, 'Waiting', () => water.click());
}

function inTurns<Name>(names: readonly Name[], round: number): readonly Name[] {
  return round % 2 === 0 ? names : names.toReversed();
}

export const bench: Bench = { open, steps: [openHistories, waitingPhotos], section, close };
