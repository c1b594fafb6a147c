import type { Page, Request } from 'playwright';
import type { Phone } from '../../e2e/support/browser.ts';

// Both sides water every plant of the account once.

/** One request after the other, as plain as can be; answers ms. */
export function sendBare(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const token = localStorage.getItem('sprig.token');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const plants: { id: string }[] = await (await fetch('/api/plants', { headers })).json();
    const started = performance.now();
    for (const { id } of plants) {
      const key = { 'idempotency-key': crypto.randomUUID() };
      const path = `/api/plants/${id}/water?watered_at=${new Date().toISOString()}`;
      await (await fetch(path, { method: 'POST', headers: { ...headers, ...key } })).json();
    }
    return performance.now() - started;
  });
}

/** As if each plant's button had been tapped; the rows are what the buttons write. */
export async function queueWaterings(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const name = (await indexedDB.databases()).find((db) => db.name?.startsWith('sprig-'))?.name;
    const open = indexedDB.open(name ?? '');
    const db = await new Promise<IDBDatabase>((resolve) => {
      open.onsuccess = () => resolve(open.result);
    });
    const tx = db.transaction(['plants', 'outbox'], 'readwrite');
    const ids = tx.objectStore('plants').getAllKeys();
    ids.onsuccess = () => {
      for (const entity of ids.result) {
        tx.objectStore('outbox').add({
          opId: crypto.randomUUID(),
          v: 3,
          entity,
          type: 'water',
          edits: {},
          base: {},
          request: null,
          state: 'queued',
          attempts: 0,
          sentAt: null,
          nextAt: 0,
          occurredAt: Date.now(),
          lastError: null,
          isNoticed: false,
        });
      }
    };
    await new Promise((resolve) => {
      tx.oncomplete = resolve;
    });
    db.close();
  });
}

/** From the first watering that the worker sends to the answer to the last, ms. */
export async function drainMs(phone: Phone): Promise<number> {
  const isWatering = (request: Request) => request.url().includes('/water?');
  let [first, last, count] = [0, 0, 0];
  phone.context.on('request', (request) => {
    if (isWatering(request) && first === 0) first = performance.now();
  });
  const done = new Promise<void>((resolve) => {
    phone.context.on('requestfinished', (request) => {
      if (!isWatering(request)) return;
      count += 1;
      last = performance.now();
      if (count === 500) resolve();
    });
  });
  await phone.page.evaluate(() => window.dispatchEvent(new Event('online')));
  await done;
  phone.context.removeAllListeners('request');
  phone.context.removeAllListeners('requestfinished');
  return last - first;
}
