import type { Page } from 'playwright';
import { type AppServer, openAppServer } from '../e2e/support/server/app-server.ts';
import type { Bench } from './support/bench.ts';
import { heapOf } from './support/browser/heap.ts';
import { phoneWith } from './support/browser/phones.ts';
import {
  answerMs,
  keysMs,
  recordKeystrokes,
  typeMs,
  watchAnswers,
} from './support/browser/touch.ts';
import { slowPhone } from './support/browser/warm-start.ts';
import { inMiB } from './support/results/figures-text.ts';
import type { Part, Row } from './support/results/results.ts';
import { inMs, percentile, timesRow } from './support/results/times.ts';

const rows: Row[] = [];

let server: AppServer;

async function open(): Promise<void> {
  server = await openAppServer();
  await server.start();
}

function section(): Part {
  return {
    title: 'Touch',
    conditions: `390×844, the page's processor slowed to a quarter. From the event to the frame that shows its
effect; the two took turns. Heap: after garbage collection, objects of the page, and machine code that the browser
compiled from its scripts.`,
    rows,
  };
}

async function close(): Promise<void> {
  await server.close();
}

async function search(): Promise<void> {
  const phone = await phoneWith(server, 1_000);
  const bare = await phone.context.newPage();
  await bare.goto('/manifest.webmanifest');
  await bare.setContent(
    `<h2 id="plant-grid-title">(1000)</h2><input type="search"><ul>${bareCards(1_000)}</ul>`,
  );
  await bare.evaluate(() => {
    const [count, search] = [document.querySelector('h2'), document.querySelector('input')];
    const cards = [...document.querySelectorAll('li')];
    search?.addEventListener('input', () => {
      const found = cards.filter((card) => card.textContent?.includes(search.value));
      for (const card of cards) card.hidden = true;
      for (const card of found) card.hidden = false;
      if (count) count.textContent = `(${found.length})`;
    });
  });
  for (const page of [phone.page, bare]) {
    await slowPhone(phone.context, page);
    await watchAnswers(page);
    await recordKeystrokes(page);
  }
  const [app, dom]: [number[], number[]] = [[], []];
  for (let round = 0; round < 4; round += 1) {
    for (const typed of ['1', '12', '123', '12', '1', '']) {
      app.push(await typeMs(phone.page, 1_000, typed));
      dom.push(await typeMs(bare, 1_000, typed));
    }
  }
  rows.push(
    timesRow('a keystroke in the search, 1,000 plants', app, {
      name: 'bare DOM filter',
      values: dom,
    }),
  );
  rows.push(
    at95('the same at the 95th percentile', app, dom),
    at95(
      'the event itself, until the next frame, at the 95th percentile',
      await keysMs(phone.page, app.length),
      await keysMs(bare, dom.length),
    ),
  );
  await phone.close();
}

function at95(what: string, app: number[], dom: number[]): Row {
  const [ours, bare] = [percentile(app, 0.95), percentile(dom, 0.95)];
  const against = `bare DOM filter: ${inMs(bare)}`;
  return { what, figure: inMs(ours), against, ratio: `×${(ours / bare).toFixed(2)}` };
}

function bareCards(count: number): string {
  return Array.from(
    { length: count },
    (_, i) => `<li><h3>Plant ${i}</h3><p>Monstera</p></li>`,
  ).join('');
}

async function waterNow(): Promise<void> {
  const phone = await phoneWith(server, 24);
  const { page } = phone;
  await server.kill();
  await slowPhone(phone.context, page);
  await watchAnswers(page);
  await addBareButton(page);
  const [app, bare]: [number[], number[]] = [[], []];
  for (let i = 0; i < 20; i += 1) {
    const card = page.getByRole('article', { name: `Plant ${i}`, exact: true });
    const selector = `article:has(h3[id="${await card.getByRole('heading').getAttribute('id')}"])`;
    await card.scrollIntoViewIfNeeded();
    const water = card.getByRole('button', { name: /^Water/ });
    app.push(await answerMs(page, selector, 'Waiting', () => water.click()));
    bare.push(
      await answerMs(page, '#bare', `put ${i + 1}`, () =>
        page.locator('#bare').click({ force: true }),
      ),
    );
  }
  const put = { name: 'bare IndexedDB put and text', values: bare };
  rows.push(timesRow('Water Now until the plant waits to be sent', app, put));
  await phone.close();
  await server.start();
}

/** Adds a button that only stores a row and then shows a text, as the minimum to compare with. */
async function addBareButton(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const open = indexedDB.open('bare', 1);
    open.onupgradeneeded = () => open.result.createObjectStore('rows', { autoIncrement: true });
    const db = await new Promise<IDBDatabase>((resolve) => {
      open.onsuccess = () => resolve(open.result);
    });
    const button = document.createElement('button');
    button.id = 'bare';
    button.style.cssText = 'position:fixed;z-index:9;bottom:0;left:0';
    button.textContent = 'put 0';
    let count = 0;
    button.addEventListener('click', () => {
      const tx = db.transaction('rows', 'readwrite');
      tx.objectStore('rows').add({ at: Date.now() });
      tx.oncomplete = () => {
        count += 1;
        button.textContent = `put ${count}`;
      };
    });
    document.body.append(button);
  });
}

async function dialogHeap(): Promise<void> {
  const phone = await phoneWith(server, 12);
  const cdp = await phone.context.newCDPSession(phone.page);
  await cdp.send('HeapProfiler.enable');
  const heapAfter = async (times: number) => {
    for (let i = 0; i < times; i += 1) {
      await phone.page.getByRole('link', { name: 'Details of Plant 3' }).click();
      await phone.page.getByRole('dialog').waitFor();
      await phone.page.keyboard.press('Escape');
      await phone.page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    return { ...(await heapOf(cdp)), ...(await cdp.send('Memory.getDOMCounters')) };
  };
  // The first hundred dialogs fill caches; only memory that later ones add is a leak.
  const first = await heapAfter(100);
  const steps = [await heapAfter(100), await heapAfter(100)];
  for (const [i, { held, code, nodes }] of steps.entries()) {
    rows.push({
      what: `heap after ${i + 2}00 plant dialogs, ${nodes} nodes`,
      figure: `${inMiB(held)} and ${inMiB(code)} of code`,
      against: `after 100: ${inMiB(first.held)} and ${inMiB(first.code)}, ${first.nodes} nodes`,
      ratio: `×${(held / first.held).toFixed(2)} (code ×${(code / first.code).toFixed(2)})`,
    });
  }
  await phone.close();
}

export const bench: Bench = { open, steps: [search, waterNow, dialogHeap], section, close };
