import type { Page } from 'playwright';
import type { Phone } from '../e2e/support/phone/browser.ts';
import { type AppServer, openAppServer } from '../e2e/support/server/app-server.ts';
import type { Bench } from './support/bench.ts';
import { phoneWith } from './support/browser/phones.ts';
import { queueWaterings, sendBare } from './support/browser/queue.ts';
import type { Part, Row } from './support/results/results.ts';
import { median } from './support/results/rounds.ts';
import { inMs, percentile } from './support/results/times.ts';
import { type CountingProxy, openCountingProxy } from './support/server/counting-proxy.ts';

const count = 300;
const idleMs = 60_000;
const rows: Row[] = [];

let server: AppServer;
let proxy: CountingProxy;
let phone: Phone;

async function open(): Promise<void> {
  server = await openAppServer();
  await server.start();
  proxy = await openCountingProxy(server.url);
  phone = await phoneWith({ ...server, url: proxy.url }, count);
  await quiet();
}

function section(): Part {
  return {
    title: 'What goes over the wire',
    conditions: `The built app with ${count} plants, counted by a proxy in front of the server: requests to the API and
bytes of the response bodies, compressed. A slow line has a round trip of 400 ms; one request and one response in a
hundred are delayed by one more round trip, as after a lost packet.`,
    rows,
  };
}

async function close(): Promise<void> {
  await phone.close();
  await proxy.close();
  await server.close();
}

/** Waits until nothing has been requested for 3 s. */
async function quiet(): Promise<void> {
  let seen = -1;
  while (seen !== proxy.calls.length) {
    seen = proxy.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
}

/** Counts the API's requests and the bytes of its responses from the start of `act` until no more requests follow. */
async function counted(act: () => Promise<unknown>): Promise<{ requests: number; bytes: number }> {
  proxy.calls.length = 0;
  await act();
  await quiet();
  const bytes = proxy.calls.reduce((sum, call) => sum + call.bytes, 0);
  return { requests: proxy.calls.length, bytes };
}

function row(what: string, figures: { requests: number; bytes: number }, note = ''): void {
  const calls = proxy.calls.map(({ method, path, status }) => {
    return `${method} ${path.replace(/\?.*/, '').replace(/[0-9a-f-]{36}/, ':id')} ${status}`;
  });
  rows.push({
    what,
    figure: `${figures.requests} requests, ${figures.bytes} B`,
    against: [...new Set(calls)].join(', '),
    ratio: note,
  });
}

async function tap(): Promise<void> {
  const waterNow = phone.page.getByRole('button', { name: /^Water Now/ }).first();
  row('a tap on Water Now', await counted(() => waterNow.click()));
}

function call(page: Page, method: string, path: string, body?: object): Promise<unknown> {
  return page.evaluate(
    async ([target, verb, text]) => {
      const headers = {
        authorization: `Bearer ${localStorage.getItem('sprig.token')}`,
        'content-type': 'application/json',
      };
      return await (await fetch(target, { method: verb, headers, body: text ?? null })).json();
    },
    [path, method, body && JSON.stringify(body)] as const,
  );
}

/** A page without the app that uses the phone's session. Its calls bypass the proxy, so they are not counted. */
async function elsewhere(): Promise<Page> {
  const token = await phone.page.evaluate(() => localStorage.getItem('sprig.token') ?? '');
  const other = await phone.context.browser()?.newContext({ serviceWorkers: 'block' });
  if (!other) throw new Error('no browser');
  const page = await other.newPage();
  await page.route('**/other', (route) => route.fulfill({ body: '', contentType: 'text/html' }));
  await page.goto(`${server.url}/other`);
  await page.evaluate((value) => localStorage.setItem('sprig.token', value), token);
  return page;
}

async function changeElsewhere(): Promise<void> {
  const other = await elsewhere();
  const [plant] = (await call(other, 'GET', '/api/plants')) as { id: string }[];
  const change = () =>
    call(other, 'PUT', `/api/plants/${plant?.id}`, { ...plant, nickname: 'Renamed' });
  row('one plant renamed elsewhere', await counted(change));
  await other.context().close();
}

async function readings(): Promise<void> {
  const other = await elsewhere();
  const plants = (await call(other, 'GET', '/api/plants')) as { id: string; nickname: string }[];
  const first = await phone.page.getByRole('article').first().getByRole('heading').textContent();
  const shownPlant = plants.find(({ nickname }) => nickname === first);
  const times: number[] = [];
  for (let i = 0; i < 20; i += 1) {
    const soil = 11 + i;
    const shown = phone.page.waitForFunction(
      (text) => document.querySelector('article')?.textContent.includes(text),
      `${soil} %`,
      { polling: 'raf' },
    );
    const started = performance.now();
    await call(other, 'POST', '/api/logs', {
      plant_id: shownPlant?.id,
      soil_humidity: soil,
    });
    await shown;
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  rows.push({
    what: 'from posting a reading until its value is on the card',
    figure: `median ${inMs(median(times))}`,
    against: '',
    ratio: `worst ${inMs(percentile(times, 1))}`,
  });
  const hundred = await counted(async () => {
    for (const { id } of plants.slice(0, 100)) {
      await call(other, 'POST', '/api/logs', { plant_id: id, soil_humidity: 50 });
    }
  });
  row('readings of 100 plants', hundred);
  await other.context().close();
}

async function idleMinute(): Promise<void> {
  proxy.calls.length = 0;
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const bytes = proxy.calls.reduce((sum, one) => sum + one.bytes, 0);
  row('an idle minute, visible', { requests: proxy.calls.length, bytes });
}

/**
 * Waters all plants offline, then reconnects. Resolves to the ms until the outbox is empty, and to the number of API
 * requests until no more follow.
 */
async function drain(): Promise<{ requests: number; ms: number }> {
  await phone.context.setOffline(true);
  await queueWaterings(phone.page);
  proxy.calls.length = 0;
  await phone.context.setOffline(false);
  const ms = await phone.page.evaluate(async () => {
    const started = performance.now();
    const name = (await indexedDB.databases()).find((db) => db.name?.startsWith('sprig-'))?.name;
    const open = indexedDB.open(name ?? '');
    const db = await new Promise<IDBDatabase>((resolve) => {
      open.onsuccess = () => resolve(open.result);
    });
    const left = () =>
      new Promise<number>((resolve) => {
        const request = db.transaction('outbox').objectStore('outbox').count();
        request.onsuccess = () => resolve(request.result);
      });
    while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    db.close();
    return performance.now() - started;
  });
  await quiet();
  return { requests: proxy.calls.length, ms };
}

async function reconnect(): Promise<void> {
  const bare = await sendBare(phone.page);
  const { requests, ms } = await drain();
  rows.push({
    what: `${count} waterings made offline`,
    figure: `${requests} requests, ${inMs(ms)}`,
    against: `bare loop: ${inMs(bare)}`,
    ratio: `×${(ms / bare).toFixed(2)}`,
  });
  proxy.line = { delayMs: 200, loss: 0.01 };
  const slow = await drain();
  proxy.line = { delayMs: 0, loss: 0 };
  rows.push({
    what: 'the same over a slow line',
    figure: `${slow.requests} requests, ${inMs(slow.ms)}`,
    against: '',
    ratio: '',
  });
}

export const bench: Bench = {
  open,
  steps: [tap, changeElsewhere, readings, idleMinute, reconnect],
  section,
  close,
};
