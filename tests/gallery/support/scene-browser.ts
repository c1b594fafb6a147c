import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { findChromium } from '#build/find-chromium.ts';
import { demo, fillSignIn, plantCard, waterNow } from '../../e2e/support/screens/garden.ts';
import {
  fillNames,
  goToLastStep,
  openAddForm,
  untilClosed,
} from '../../e2e/support/screens/plant-form.ts';
import { type AppServer, openAppServer } from '../../e2e/support/server/app-server.ts';
import {
  addGardener,
  addPlants,
  type Credentials,
  manyPlants,
  plantWithLongTexts,
} from './gardeners.ts';

/** Who uses the app in a scene: nobody, an account, or the demo account in a special state. */
export type Who =
  | 'visitor'
  | 'demo'
  | 'newcomer'
  | 'long texts'
  | 'collector'
  | 'offline'
  | 'refused'
  | 'waiting'
  | 'ahead of readings'
  | 'failed';

export interface SceneBrowser {
  server: AppServer;
  /** Opens a new page of `who`. The first call with each value signs in, except for visitor. */
  openPage: (who: Who) => Promise<Page>;
  close: () => Promise<void>;
}

/** The built app on a database of its own, and a browser whose clock is in this zone. */
export async function openSceneBrowser(timezoneId = 'America/New_York'): Promise<SceneBrowser> {
  const server = await openAppServer();
  await server.start();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
  const contexts = new Map<Who, Promise<BrowserContext>>();
  return {
    server,
    openPage: async (who) => {
      const context = contexts.get(who) ?? enter(server, browser, { who, timezoneId });
      contexts.set(who, context);
      return (await context).newPage();
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

async function enter(
  server: AppServer,
  browser: Browser,
  { who, timezoneId }: { who: Who; timezoneId: string },
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: server.url,
    timezoneId,
    locale: 'en-US',
    // Blocked, because scenes simulate network failures and cached pages would not use the network.
    serviceWorkers: 'block',
  });
  context.setDefaultTimeout(30_000);
  // The sidebar is open at first and would cover a phone's screen.
  await context.addInitScript(() =>
    window.localStorage.setItem('sprig.sidebar-open', window.innerWidth < 1024 ? '0' : '1'),
  );
  if (who === 'visitor') return context;
  const page = await context.newPage();
  const credentials = await credentialsOf(server, who);
  if (who === 'waiting') await context.route('**/api/**', () => undefined);
  if (who === 'ahead of readings') await context.route('**/api/logs/**', () => undefined);
  if (who === 'failed') await context.route('**/api/**', (route) => route.abort());
  await page.goto('/signin');
  await fillSignIn(page, credentials);
  await page.getByLabel('Remember me').check();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
  if (who === 'offline') await waterOffline(context, page);
  if (who === 'refused') await addInVain(context, page);
  await page.close();
  return context;
}

async function credentialsOf(server: AppServer, who: Who): Promise<Credentials> {
  if (who === 'newcomer') return addGardener(server, 'Newcomer');
  if (who === 'collector') {
    const collector = await addGardener(server, 'Collector');
    await addPlants(server, collector, manyPlants);
    return collector;
  }
  if (who === 'long texts') {
    const name = 'Maximiliane Charlotte von und zu Hohenlohe-Waldenburg-Schillingsfürst';
    const gardener = await addGardener(server, name);
    await addPlants(server, gardener, [plantWithLongTexts]);
    return gardener;
  }
  return demo;
}

/** Waters a plant offline, so that the watering waits to be sent. */
async function waterOffline(context: BrowserContext, page: Page): Promise<void> {
  await plantCard(page, 'Monty').waitFor();
  await context.route('**/api/**', (route) => route.abort());
  await waterNow(page, 'Monty').click();
  await plantCard(page, 'Monty').getByText('Waiting to be sent').waitFor();
}

/** Adds a plant offline that the server then rejects. */
async function addInVain(context: BrowserContext, page: Page): Promise<void> {
  await context.route('**/api/**', (route) => route.abort());
  await openAddForm(page);
  await fillNames(page, 'x'.repeat(201));
  await goToLastStep(page);
  await page.getByRole('button', { name: 'Add Plant' }).click();
  await untilClosed(page);
  await context.unroute('**/api/**');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await page.getByText('Could not be saved', { exact: true }).waitFor();
}
