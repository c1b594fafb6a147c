import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { forgetAll, openPhone, type Phone, passOn } from '../support/phone/browser.ts';
import { rowsOf } from '../support/phone/device-db.ts';
import { notice, untilSynced } from '../support/phone/sync.ts';
import {
  closeSidebar,
  fillSignIn,
  plantCard,
  signIn,
  signInByForm,
  waterNow,
} from '../support/screens/garden.ts';
import { addQuietPlant, idOf } from '../support/screens/plant-dialog.ts';
import { editField } from '../support/screens/plant-form.ts';
import { type AppServer, openAppServer } from '../support/server/app-server.ts';
import { postAsDemo } from '../support/server/demo-api.ts';
import { copyBuiltApp, type Deployment } from '../support/server/deployment.ts';
import { wateringsSince } from '../support/server/waterings.ts';

let deployment: Deployment;
let server: AppServer;
let phone: Phone;
beforeAll(async () => {
  deployment = copyBuiltApp();
  server = await openAppServer(deployment.mainFile);
  await server.start();
  phone = await openPhone(server.url);
});
afterAll(async () => {
  await phone.close();
  await server.close();
  deployment.remove();
});
beforeEach(() => forgetAll(phone));

const dayMs = 86_400_000;

test('in a browser that blocks storage a notice offers a remedy, and the dashboard shows an error instead of loading forever', async () => {
  const strict = await openPhone(server.url, { isStrict: true });
  const { page } = strict;
  await page.goto('/signin');
  await fillSignIn(page);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await notice(page).getByText('This browser lets Sprig keep nothing').waitFor();
  expect(await notice(page).textContent()).toContain(
    'Allow cookies for Sprig or leave private browsing, then reload.',
  );
  await page.getByRole('alert').getByText('Failed to load dashboard data').waitFor();
  expect(await page.getByText('Loading dashboard data...').count()).toBe(0);
  await closeSidebar(page);
  await page.getByRole('button', { name: 'Add New Plant' }).click();
  await page.getByLabel('Nickname').waitFor();
  expect(strict.problems).toEqual([]);
  await strict.close();
});

const brokenWorkers: [what: string, script: string | null][] = [
  ['is missing', null],
  ['is a page', '<!doctype html><h1>Hello</h1>'],
  [
    'cannot install itself',
    'addEventListener("install", (event) => event.waitUntil(Promise.reject(new Error("No"))))',
  ],
];

describe('a phone without a service worker', () => {
  let fresh: Phone;
  let workerFile: string;
  beforeAll(async () => {
    fresh = await openPhone(server.url);
    workerFile = path.join(deployment.clientDir, 'sw.js');
    const workingScript = fs.readFileSync(workerFile);
    return async () => {
      // Close the browser before the script is restored: the browser may still install the script for a page that was
      // left earlier.
      await fresh.close();
      fs.writeFileSync(workerFile, workingScript);
    };
  });

  test.each(brokenWorkers)(
    'if the service worker %s, the app works online and logs no error',
    async (_, script) => {
      if (script === null) fs.rmSync(workerFile);
      else fs.writeFileSync(workerFile, script);
      const { page, problems } = fresh;
      await signIn(page);
      expect(await installs(page)).toBe(false);
      const before = new Date();
      await waterNow(page, 'Monty').click();
      await expect.poll(() => wateringsSince(server, 'Monty', before)).toHaveLength(1);
      await page.goto('/dashboard/articles/winter-plant-care');
      await page.getByRole('heading', { level: 1, name: 'Winter Plant Care' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(problems).toEqual([]);
    },
  );
});

test('a first visit on which the sync worker cannot be loaded shows the plants and sends changes', async () => {
  const { page, context, problems, close } = await openPhone(server.url);
  onTestFinished(close);
  const aborted: string[] = [];
  await context.route(/\/assets\/worker-/, (route) => {
    aborted.push(route.request().url());
    return route.abort();
  });
  await signIn(page);
  // Not exactly one, because the service worker may request the script too, to cache it.
  expect(aborted).not.toEqual([]);
  const before = new Date();
  await waterNow(page, 'Monty').click();
  await expect.poll(() => wateringsSince(server, 'Monty', before)).toHaveLength(1);
  expect(problems).toEqual([]);
});

/** Whether a service worker becomes active. */
function installs(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.register('/sw.js').catch(() => null);
    const worker = registration?.installing ?? registration?.active;
    if (!worker) return false;
    while (worker.state !== 'activated' && worker.state !== 'redundant') {
      await new Promise((resolve) => worker.addEventListener('statechange', resolve));
    }
    return worker.state === 'activated';
  });
}

/** Loses every third API request: alternately the request itself, and the response after the server handled it. */
async function loseEveryThird(): Promise<{ requests: number; responses: number }> {
  const lost = { requests: 0, responses: 0 };
  let sent = 0;
  await phone.context.route('**/api/**', async (route) => {
    if (sent++ % 3 !== 1) return route.continue();
    if (lost.requests > lost.responses) {
      lost.responses += 1;
      await passOn(route, server);
    } else lost.requests += 1;
    return route.abort();
  });
  return lost;
}

/**
 * The plants whose watering is neither in the outbox nor on the server yet. After a tap it takes a moment until the
 * watering is stored.
 */
async function notStored(nicknames: readonly string[], since: Date): Promise<string[]> {
  const ops = await rowsOf<{ entity: string }>(phone.page, 'outbox');
  const missing: string[] = [];
  for (const nickname of nicknames) {
    const id = await idOf(server, nickname);
    if (ops.some(({ entity }) => entity === id)) continue;
    if ((await wateringsSince(server, nickname, since)).length === 0) missing.push(nickname);
  }
  return missing;
}

test('when a third of all requests or responses are lost, every change still takes effect once', async () => {
  const { page } = phone;
  await signIn(page);
  const before = new Date();
  const lost = await loseEveryThird();
  const watered = ['Zed', 'Figaro', 'Captain Gel', 'Ruby'];
  for (const nickname of watered) await waterNow(page, nickname).click();
  await expect.poll(() => notStored(watered, before)).toEqual([]);
  await page.goto('/dashboard/plants');
  let location = '';
  for (let edit = 1; edit === 1 || lost.requests < 2 || lost.responses < 2; edit += 1) {
    location = `Cellar ${edit}`;
    await editField(page, 'Monty', /^Location/, location);
  }
  await untilSynced(page, { timeout: 200_000 });
  for (const nickname of watered)
    expect(await wateringsSince(server, nickname, before), nickname).toHaveLength(1);
  const [monty] = await server.query("SELECT location FROM plants WHERE nickname = 'Monty'");
  expect(monty).toEqual({ location });
  await expect.poll(() => notice(page).count()).toBe(0);
  await phone.context.unrouteAll({ behavior: 'ignoreErrors' });
  expect(phone.problems).toEqual([]);
});

async function restartServer(clockShiftMs = 0): Promise<void> {
  await server.kill();
  await server.start(clockShiftMs);
}

test.each([
  ['ahead', 'too early', -dayMs, 'Professor Stripes'],
  ['behind', 'too late', dayMs, 'Madame Mauve'],
])(
  'a phone whose clock is a day %s warns that plants look due %s, and sends a watering with the correct time',
  async (where, due, serverAheadMs, nickname) => {
    const { page } = phone;
    await signIn(page);
    onTestFinished(() => restartServer());
    await restartServer(serverAheadMs);
    await page.goto('/dashboard');
    await page
      .getByText(`This device’s clock is 1 day ${where}, so plants look due ${due}.`)
      .waitFor({ timeout: 30_000 });
    // With a tolerance, because the app's estimate of the server's time can be off by half the duration of a request.
    const toleranceMs = 60_000;
    const serverNow = (moreMs: number) => new Date(Date.now() + serverAheadMs + moreMs);
    const before = serverNow(-toleranceMs);
    await waterNow(page, nickname).click();
    await expect.poll(() => wateringsSince(server, nickname, before)).toHaveLength(1);
    const [watering] = await wateringsSince(server, nickname, before);
    expect(watering?.watered_at.getTime()).toBeLessThan(serverNow(toleranceMs).getTime());
    await untilSynced(page);
    expect(phone.problems).toEqual([]);
  },
);

/** Fills localStorage or sessionStorage completely. */
async function fillStorage(page: Page, kind: 'localStorage' | 'sessionStorage'): Promise<void> {
  await page.evaluate((name) => {
    const storage = window[name];
    for (let part = 'x'.repeat(1_048_576), at = 0; part !== ''; at += 1) {
      try {
        storage.setItem(`filler-${at}`, part);
      } catch {
        part = part.slice(0, Math.floor(part.length / 2));
      }
    }
  }, kind);
}

test('with full storage a person can sign in; the session lasts as long as the tab, or until a reload if sessionStorage is full too', async () => {
  const { page } = phone;
  await page.goto('/signin');
  await fillStorage(page, 'localStorage');
  await signInByForm(page);
  await page.reload();
  await plantCard(page, 'Monty').waitFor();

  await page.evaluate(() => window.sessionStorage.clear());
  await fillStorage(page, 'sessionStorage');
  await signInByForm(page);
  await page.reload();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  expect(phone.problems).toEqual([]);
});

test('readings of a sensor that stopped reporting days ago are shown with their age', async () => {
  const { page } = phone;
  await postAsDemo(server, '/api/logs', {
    plant_id: await addQuietPlant(server, 'Silent'),
    timestamp: new Date(Date.now() - 3 * dayMs).toISOString(),
    soil_humidity: 50,
  });
  await signIn(page);
  const readings = plantCard(page, 'Silent').getByRole('list', { name: 'Latest readings' });
  await readings.getByText('Last reading 3 days ago').waitFor();
  expect(phone.problems).toEqual([]);
});
