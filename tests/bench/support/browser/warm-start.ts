import type { BrowserContext, CDPSession, Page } from 'playwright';
import type { Phone } from '../../../e2e/support/phone/browser.ts';
import type { AppServer } from '../../../e2e/support/server/app-server.ts';
import type { Credentials } from '../../../gallery/support/gardeners.ts';
import { phoneOf } from './phones.ts';
import { watchAnswers } from './touch.ts';

/** Times of one start in ms since the navigation, measured on the page's main thread. */
export interface Start {
  /** The first frame with as many plant cards as fit on the screen. */
  cardsMs: number;
  /** The first tap on Water Now that had an effect; NaN on pages other than the dashboard. */
  tapMs: number;
}

/** Enough to fill the window of a phone. */
const screenful = 6;

/**
 * In every page of the context: records when a frame contains the cards, and taps Water Now in each frame until it
 * works. Reports both on the console, because Playwright's waiting functions would run scripts in the page and slow it
 * down.
 */
export async function watchCards(context: BrowserContext): Promise<void> {
  await context.addInitScript((enough) => {
    const seen = new Set<keyof Start>();
    const note = (name: keyof Start) => {
      if (seen.has(name)) return;
      seen.add(name);
      console.debug(name, performance.now());
    };
    const look = async (): Promise<void> => {
      const button = document.querySelector<HTMLElement>('article button[aria-label^="Water Now"]');
      if (button && !seen.has('tapMs')) {
        button.click();
        // After a click React renders in a microtask, so wait for a few of them.
        for (let turn = 0; turn < 5; turn += 1) await null;
        if (button.textContent?.includes('Watering')) note('tapMs');
      }
      if (document.querySelectorAll('article h3').length >= enough) note('cardsMs');
      if (seen.size < 2) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, screenful);
}

/** A phone with a stored garden snapshot and no open page, whose next start can be measured. */
export async function startingPhone(
  server: AppServer,
  keeper: Credentials,
  count: number,
): Promise<Phone> {
  const phone = await phoneOf(server, keeper, count, ({ context }) => watchCards(context));
  // Thousands of plants take long at a quarter of the processor's speed.
  phone.context.setDefaultTimeout(120_000);
  await phone.page.reload();
  await phone.page.waitForFunction(() => localStorage.getItem('sprig.garden') !== null);
  await phone.page.goto('about:blank');
  return phone;
}

/** The time after which nothing of the previous tab is still running. */
const restMs = 1_000;

/**
 * One start of `address` as from the home screen: in a new tab, with a service worker that has to be started, at a
 * quarter of the processor's speed. In an existing tab the page would reuse the process and its memory.
 */
export async function start(context: BrowserContext, address: string): Promise<Start> {
  const isApp = address === '/dashboard';
  const page = await context.newPage();
  const cdp = await slowPhone(context, page);
  await cdp.send('ServiceWorker.stopAllWorkers');
  await page.waitForTimeout(restMs);
  const moment = async (name: keyof Start): Promise<number> => {
    const message = await page.waitForEvent('console', (logged) => logged.text().startsWith(name));
    return Number(message.text().split(' ')[1]);
  };
  const [cardsMs, tapMs] = await Promise.all([
    moment('cardsMs'),
    isApp ? moment('tapMs') : Number.NaN,
    page.goto(address, { waitUntil: 'commit' }),
  ]);
  await page.close();
  return { cardsMs, tapMs };
}

export async function slowPhone(context: BrowserContext, page: Page): Promise<CDPSession> {
  const cdp = await context.newCDPSession(page);
  await cdp.send('ServiceWorker.enable');
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  return cdp;
}

/** Opens a screen, then slows its processor to a quarter and prepares `answerMs`. */
export async function openSlowly({ context, page }: Phone, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('searchbox').waitFor();
  await slowPhone(context, page);
  await watchAnswers(page);
}

/**
 * Replaces the landing page in the service worker's cache with a copy of the dashboard without scripts: the fastest
 * possible way to show the same cards from the same service worker.
 */
export async function cacheStaticCopy({ page }: Phone): Promise<void> {
  await page.goto('/dashboard');
  await page.locator('#root article h3').nth(screenful).waitFor();
  await page.evaluate(async () => {
    const css = [...document.styleSheets]
      .flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText))
      .join('\n');
    const body = document.getElementById('root')?.outerHTML ?? '';
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport"
      content="width=device-width, initial-scale=1"><title>Copy</title><style>${css}</style></head>
      <body>${body}</body></html>`;
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const landing = (await cache.keys()).find(({ url }) => url.includes('/landing.html'));
      const headers = { 'content-type': 'text/html; charset=utf-8' };
      if (landing) await cache.put(landing, new Response(html, { headers }));
    }
  });
  await page.goto('about:blank');
}
