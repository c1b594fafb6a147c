import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium, type Page, type Route } from 'playwright';
import {
  chromiumArgs,
  chromiumTestArgs,
  findChromium,
  findHeadlessShell,
} from '#build/find-chromium.ts';

/** A browser that emulates a phone. Its profile is stored on disk, so that it survives a restart. */
export interface Phone {
  context: BrowserContext;
  page: Page;
  /** The folder of its profile. */
  profile: string;
  /** Closes the browser and opens it again with the same profile. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
  /** Uncaught errors of its pages, for tests to check. */
  problems: string[];
  /** The latest responses, failed requests and console messages, for the report of a failed test. */
  events: string[];
}

export interface PhoneOptions {
  /** A folder with a browser profile to copy. Without it the phone is new: nothing is installed or stored. */
  profile?: string;
  /** A complete browser instead of a headless shell: for notifications, background sync and the installation. */
  isComplete?: boolean;
  /** Blocks cookies and all other site data. Implies `isComplete`: the headless shell has no site settings. */
  isStrict?: boolean;
  /** Installs no service worker. Only for new phones: a copied profile contains an installed one. */
  withoutServiceWorker?: boolean;
}

/**
 * The app's URL on every phone, whatever port its server has, so that a copied profile works with another server: a
 * browser stores data by origin. Browsers treat *.localhost as secure.
 */
export const appUrl = 'http://sprig.localhost';

/** The phones that are open in this process. */
export const openPhones = new Set<Phone>();

const maxEvents = 200;

/** Opens a phone whose requests to `appUrl` reach the server at `serverUrl`. */
export async function openPhone(
  serverUrl: string,
  {
    profile: copied,
    isStrict = false,
    isComplete = isStrict,
    withoutServiceWorker = false,
  }: PhoneOptions = {},
): Promise<Phone> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-phone-'));
  if (copied) fs.cpSync(copied, profile, { recursive: true });
  if (isStrict) denyStorage(profile);
  const problems: string[] = [];
  const events: string[] = [];
  // Benches, which do not run in Vitest, measure a browser as people use it.
  const isTest = process.env.VITEST !== undefined;
  const open = async () => {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: isTest && !isComplete ? findHeadlessShell() : findChromium(),
      args: [
        ...(isTest ? chromiumTestArgs : chromiumArgs),
        `--host-resolver-rules=MAP ${new URL(appUrl).host} ${new URL(serverUrl).host}`,
      ],
      baseURL: appUrl,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      serviceWorkers: withoutServiceWorker ? 'block' : 'allow',
      // Drawing animations takes an eighth of a test's CPU time. Component tests of overlays cover them instead.
      reducedMotion: 'reduce',
      timezoneId: 'America/New_York',
    });
    context.setDefaultTimeout(30_000);
    context.on('weberror', (error) => problems.push(error.error().message));
    recordEvents(context, events);
    return { context, page: context.pages()[0] ?? (await context.newPage()) };
  };
  const phone: Phone = {
    ...(await open()),
    profile,
    problems,
    events,
    restart: async () => {
      await phone.context.close();
      Object.assign(phone, await open());
    },
    close: async () => {
      openPhones.delete(phone);
      await phone.context.close();
      fs.rmSync(profile, { recursive: true, force: true });
    },
  };
  openPhones.add(phone);
  return phone;
}

/** Adds each response, failed request and console message with its time of day, and keeps the latest of them. */
function recordEvents(context: BrowserContext, events: string[]): void {
  const record = (...parts: unknown[]) => {
    events.push([new Date().toISOString().slice(11, 23), ...parts].join(' '));
    if (events.length > maxEvents) events.shift();
  };
  context.on('response', (response) => {
    record(response.status(), response.request().method(), response.url());
  });
  context.on('requestfailed', (request) => {
    record(request.failure()?.errorText, request.method(), request.url());
  });
  context.on('console', (message) => record(message.type(), message.text()));
}

/** Sends an intercepted request to the server. The page does not get the response. */
export async function passOn(route: Route, { url }: { url: string }): Promise<void> {
  // Playwright sends it from Node.js, where Chromium's --host-resolver-rules for appUrl do not apply.
  await route.fetch({ url: route.request().url().replace(appUrl, url) });
}

function denyStorage(profile: string): void {
  const blocked = 2;
  const settings = { profile: { default_content_setting_values: { cookies: blocked } } };
  fs.mkdirSync(path.join(profile, 'Default'));
  fs.writeFileSync(path.join(profile, 'Default/Preferences'), JSON.stringify(settings));
}

/**
 * Deletes all data of accounts from the phone; the app stays installed. Also removes all routes, closes all pages and
 * sets `phone.page` to a new one.
 */
export async function forgetAll(phone: Phone): Promise<void> {
  const used = phone.context.pages();
  // A new page, because sessionStorage belongs to the old one.
  phone.page = await phone.context.newPage();
  await phone.context.unrouteAll({ behavior: 'ignoreErrors' });
  const browser = await phone.context.newCDPSession(phone.page);
  for (const page of used) await page.close();
  await browser.send('Storage.clearDataForOrigin', {
    origin: appUrl,
    storageTypes: 'cookies,indexeddb,local_storage',
  });
  await browser.detach();
}
