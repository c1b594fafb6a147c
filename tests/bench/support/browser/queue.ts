import type { Page, Request } from 'playwright';
import { type BatchPayload, batchPaths } from '#contract/batch.ts';
import type { Phone } from '../../../e2e/support/phone/browser.ts';

// `sendBare` and `queueWaterings` both water every plant of the account once.

/** Sends one request after another with plain fetch; resolves to the ms that they took. */
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

/** Writes the outbox rows that a tap on each plant's Water Now would write. */
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

/**
 * How many waterings a request contains: 1 for the watering of one plant, the number of operations for a batch, 0 for
 * any other request.
 */
export function wateringsIn(request: Request): number {
  if (request.url().includes('/water?')) return 1;
  if (!request.url().endsWith(batchPaths.batch)) return 0;
  return (request.postDataJSON() as BatchPayload).operations.length;
}

/**
 * Makes the page send its outbox. Resolves to the time (ms) from the first request with waterings until `total`
 * waterings have been answered.
 */
export async function drainMs(phone: Phone, total: number): Promise<number> {
  let [first, last, count] = [0, 0, 0];
  phone.context.on('request', (request) => {
    if (wateringsIn(request) > 0 && first === 0) first = performance.now();
  });
  const done = new Promise<void>((resolve) => {
    phone.context.on('requestfinished', (request) => {
      const waterings = wateringsIn(request);
      if (waterings === 0) return;
      count += waterings;
      last = performance.now();
      if (count >= total) resolve();
    });
  });
  await phone.page.evaluate(() => window.dispatchEvent(new Event('online')));
  await done;
  phone.context.removeAllListeners('request');
  phone.context.removeAllListeners('requestfinished');
  return last - first;
}
