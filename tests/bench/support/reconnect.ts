import type { Page, Request } from 'playwright';
import type { Phone } from '../../e2e/support/browser.ts';
import { deferred } from '../../support/deferred.ts';

/** One coming back of the network with edits that wait. */
export interface Reconnect {
  /** From the network's return to the answer to the last request that brought edits. */
  ms: number;
  /** All that went out in that time, whatever for. */
  requests: number;
}

interface Workload {
  /** How many edits wait. */
  count: number;
  edit: (page: Page) => Promise<unknown>;
  /** How many of the edits a request that has been answered brought. */
  broughtBy: (request: Request) => number;
}

/** Edits without a network, then counts what goes out until the server has all of it. */
export async function reconnect(
  phone: Phone,
  { count, edit, broughtBy }: Workload,
): Promise<Reconnect> {
  const { context, page } = phone;
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await edit(page);
  let [requests, brought, lastAt] = [0, 0, 0];
  const all = deferred();
  const started = (request: Request) => {
    if (/\/(api|db)\//.test(request.url())) requests += 1;
  };
  const finished = (request: Request) => {
    const edits = broughtBy(request);
    if (edits === 0) return;
    brought += edits;
    lastAt = performance.now();
    if (brought >= count) all.resolve();
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
