import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { inject } from 'vitest';
import { type AppServer, openAppServer } from '../../e2e/support/app-server.ts';
import { closeSidebar, demo, fillSignIn, plantCard, waterNow } from '../../e2e/support/garden.ts';
import { addGardener, addPlants, type Credentials, manyPlants, wordyPlant } from './gardeners.ts';

/** In whose browser a scene takes place. */
export type Who =
  | 'visitor'
  | 'demo'
  | 'newcomer'
  | 'wordy'
  | 'collector'
  | 'cut off'
  | 'refused'
  | 'waiting'
  | 'failed';

export interface Studio {
  server: AppServer;
  /** The page of somebody, signed in at the first call. */
  pageOf: (who: Who) => Promise<Page>;
  close: () => Promise<void>;
}

/** The built app on a database of its own, and a browser. */
export async function openStudio(): Promise<Studio> {
  const server = await openAppServer();
  await server.start();
  const browser = await chromium.launch({
    executablePath: inject('chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  const pages = new Map<Who, Promise<Page>>();
  return {
    server,
    pageOf: (who) => {
      const page = pages.get(who) ?? enter(server, browser, who);
      pages.set(who, page);
      return page;
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

async function enter(server: AppServer, browser: Browser, who: Who): Promise<Page> {
  const context = await browser.newContext({
    baseURL: server.url,
    timezoneId: 'America/New_York',
    locale: 'en-US',
    // A page of the shell's cache would not ask the network that a scene stages.
    serviceWorkers: 'block',
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  if (who === 'visitor') {
    await page.goto('/landing');
    return page;
  }
  const credentials = await credentialsOf(server, who);
  if (who === 'waiting') await context.route('**/api/**', () => undefined);
  if (who === 'failed') await context.route('**/api/**', (route) => route.abort());
  await page.goto('/signin');
  await fillSignIn(page, credentials);
  await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  await closeSidebar(page);
  if (who === 'cut off') await waterUnheard(context, page);
  if (who === 'refused') await waterInVain(context, page);
  return page;
}

async function credentialsOf(server: AppServer, who: Who): Promise<Credentials> {
  if (who === 'newcomer') return addGardener(server, 'Newcomer');
  if (who === 'collector') {
    const collector = await addGardener(server, 'Collector');
    await addPlants(server, collector, manyPlants);
    return collector;
  }
  if (who === 'wordy') {
    const name = 'Maximiliane Charlotte von und zu Hohenlohe-Waldenburg-Schillingsfürst';
    const wordy = await addGardener(server, name);
    await addPlants(server, wordy, [wordyPlant]);
    return wordy;
  }
  return demo;
}

/** No network any more, and a watering that waits for one. */
async function waterUnheard(context: BrowserContext, page: Page): Promise<void> {
  await plantCard(page, 'Monty').waitFor();
  await context.route('**/api/**', (route) => route.abort());
  await waterNow(page, 'Monty').click();
  await plantCard(page, 'Monty').getByText('Waiting to be sent').waitFor();
}

/** Two waterings that the server does not take. */
async function waterInVain(context: BrowserContext, page: Page): Promise<void> {
  await context.route('**/water**', (route) =>
    route.fulfill({ status: 422, json: { error: 'This plant cannot be watered.' } }),
  );
  for (const nickname of ['Monty', 'Zed']) {
    await waterNow(page, nickname).click();
    await plantCard(page, nickname).getByText('Could not be saved').waitFor();
  }
}
