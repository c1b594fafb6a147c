import type { Page, Request } from 'playwright';
import type { Phone } from '../../../e2e/support/phone/browser.ts';
import { deferred } from '../../../support/deferred.ts';

/** What happened after the network came back while edits waited to be sent. */
export interface Reconnect {
  /** From the return of the network to the response to the last request that contained edits. */
  ms: number;
  /** Requests to the API, or to a peer's database, in that time, also those without edits. */
  requests: number;
}

interface Workload {
  /** How many edits wait. */
  count: number;
  edit: (page: Page) => Promise<unknown>;
  /** How many edits a finished request contained. */
  editsIn: (request: Request) => number;
}

/** Makes edits without a network, then counts the requests until the server has all edits. */
export async function reconnect(
  phone: Phone,
  { count, edit, editsIn }: Workload,
): Promise<Reconnect> {
  const { context, page } = phone;
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await edit(page);
  let [requests, received, lastAt] = [0, 0, 0];
  const all = deferred();
  const started = (request: Request) => {
    if (/\/(api|db)\//.test(request.url())) requests += 1;
  };
  const finished = (request: Request) => {
    const edits = editsIn(request);
    if (edits === 0) return;
    received += edits;
    lastAt = performance.now();
    if (received >= count) all.resolve();
  };
  context.on('request', started);
  context.on('requestfinished', finished);
  const from = performance.now();
  await context.setOffline(false);
  await all.promise;
  context.off('request', started);
  context.off('requestfinished', finished);
  return { ms: lastAt - from, requests };
}
