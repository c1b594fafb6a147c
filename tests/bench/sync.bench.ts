import { openPhone } from '../e2e/support/phone/browser.ts';
import { withoutLive } from '../e2e/support/phone/sync.ts';
import { fillSignIn } from '../e2e/support/screens/garden.ts';
import { type AppServer, openAppServer } from '../e2e/support/server/app-server.ts';
import type { Bench } from './support/bench.ts';
import { addKeeper, phoneWith } from './support/browser/phones.ts';
import { drainMs, queueWaterings, sendBare } from './support/browser/queue.ts';
import { slowPhone } from './support/browser/warm-start.ts';
import type { Part, Row } from './support/results/results.ts';
import { inMs, timesRow } from './support/results/times.ts';

const rows: Row[] = [];

let server: AppServer;

async function open(): Promise<void> {
  server = await openAppServer();
  await server.start();
}

function section(): Part {
  return {
    title: 'Sync in the browser',
    conditions: 'The built app and server on one machine, 390×844, without the live stream.',
    rows,
  };
}

async function close(): Promise<void> {
  await server.close();
}

async function drain(): Promise<void> {
  const phone = await phoneWith(server, 500, withoutLive);
  const [app, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round += 1) {
    bare.push(await sendBare(phone.page));
    await phone.context.setOffline(true);
    await queueWaterings(phone.page);
    await phone.context.setOffline(false);
    app.push(await drainMs(phone, 500));
  }
  rows.push(timesRow('500 queued waterings', app, { name: 'bare fetch loop', values: bare }));
  await phone.close();
}

async function idleRound(): Promise<void> {
  const phone = await phoneWith(server, 300, withoutLive);
  await phone.page.waitForLoadState('networkidle');
  await phone.page.evaluate(() => {
    const changes: string[] = [];
    Object.assign(window, { changes });
    new MutationObserver((records) => {
      for (const { target } of records) changes.push(String(target.nodeName));
    }).observe(document.querySelector('main') ?? document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      characterData: true,
    });
  });
  const answered: Promise<{ status: number; bytes: number }>[] = [];
  phone.context.on('response', (response) => {
    if (!response.url().includes('/api/')) return;
    const body = response.body().catch(() => Buffer.alloc(0));
    answered.push(body.then(({ length }) => ({ status: response.status(), bytes: length })));
  });
  const second = phone.context.waitForEvent('response', (response) =>
    response.url().endsWith('with-latest-readings'),
  );
  await phone.page.evaluate(() => window.dispatchEvent(new Event('online')));
  await second;
  await phone.page.waitForLoadState('networkidle');
  const changes = await phone.page.evaluate(
    () => (window as unknown as { changes: string[] }).changes.length,
  );
  const responses = await Promise.all(answered);
  const bytes = responses.reduce((sum, response) => sum + response.bytes, 0);
  rows.push({
    what: 'an idle round, 300 plants',
    figure: `${responses.length} requests, ${bytes} B of bodies`,
    against: `responses ${responses.map(({ status }) => status).join(', ')}`,
    ratio: `${changes} changes on screen`,
  });
  await phone.close();
}

async function firstSync(): Promise<void> {
  const keeper = await addKeeper(server, 299);
  const phone = await openPhone(server.url);
  await withoutLive(phone);
  await phone.context.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      tasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask', buffered: true });
  });
  await slowPhone(phone.context, phone.page);
  await phone.page.goto('/signin');
  await fillSignIn(phone.page, keeper);
  // Makes Playwright inject its own scripts now, so that they are not measured.
  await phone.page.waitForFunction(() => true);
  await phone.page.evaluate(() => (window as unknown as { tasks: number[] }).tasks.splice(0));
  await phone.page.keyboard.press('Enter');
  // Not a locator by role: Playwright's search for roles would be the longest task of all.
  await phone.page.waitForFunction(
    () => document.getElementById('plant-grid-title')?.textContent.includes('(299)'),
    null,
    { polling: 500 },
  );
  await phone.page.waitForLoadState('networkidle');
  const tasks = await phone.page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
  rows.push({
    what: 'first sync of 299 plants, processor at a quarter',
    figure: `${tasks.length} tasks over 50 ms`,
    against: '',
    ratio: `longest ${inMs(Math.max(0, ...tasks))}`,
  });
  await phone.close();
}

export const bench: Bench = { open, steps: [drain, idleRound, firstSync], section, close };
