import {
  cleanupOutdatedCaches,
  PrecacheController,
  PrecacheRoute,
  PrecacheStrategy,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { sendInBackground } from '#client/sync/background/background.ts';
import { dbNameOf } from '#client/sync/background/tag.ts';
import { browserContext } from '#client/sync/context.ts';
import { tryWebLock } from '#client/sync/lock.ts';

/** Not in every browser, and not among the types. */
interface SyncEvent extends ExtendableEvent {
  tag: string;
}

/** The same. */
interface InstallEvent extends ExtendableEvent {
  addRoutes?: (
    routes: { condition: { urlPattern: { pathname: string } }; source: 'network' }[],
  ) => Promise<void>;
}

declare global {
  interface ServiceWorkerGlobalScopeEventMap {
    sync: SyncEvent;
  }
}

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: Parameters<PrecacheController['addToCacheList']>[0];
};

// The shell and its parts, and nothing of the API: data lives in the device's database. Each file is checked against
// its hash, so that neither a captive portal's page nor a deployment half done is ever kept in its place.
const shell = new PrecacheController();
shell.addToCacheList(self.__WB_MANIFEST);
cleanupOutdatedCaches();

/** Parts of the version before this one, for tabs that still run it. */
const formerParts = 'sprig-former-parts';

registerRoute(new PrecacheRoute(shell));
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && isPart(url.pathname),
  new PrecacheStrategy({ cacheName: formerParts }),
);

const noScreens = [/^\/(api|auth)(\/|$)/, /^\/healthz$/, /\.[a-z0-9]+$/i];
registerRoute(
  new NavigationRoute(shell.createHandlerBoundToURL('/index.html'), { denylist: noScreens }),
);

self.addEventListener('install', (event: InstallEvent) => event.waitUntil(settleIn(event)));

self.addEventListener('activate', (event) => event.waitUntil(takeOver(event)));

self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
});

self.addEventListener('sync', (event) => event.waitUntil(sendWhatWaits(event.tag)));

/** Paths that always go to the network, so that no request waits for this worker to start. */
const serversOwn = ['/api/*', '/auth/*'];

async function settleIn(event: InstallEvent): Promise<void> {
  const routes = serversOwn.map(
    (pathname) => ({ condition: { urlPattern: { pathname } }, source: 'network' }) as const,
  );
  await event.addRoutes?.(routes).catch(() => null);
  // Without an older shell, at the first installation or after the kill switch (public/sw-off.js), do not wait.
  if (!(await caches.has(shell.strategy.cacheName))) await self.skipWaiting();
  await shell.install(event);
}

async function takeOver(event: ExtendableEvent): Promise<void> {
  await keepFormerParts();
  await shell.activate(event);
  // The first visit is already an installed one: it may go offline without a reload.
  await self.clients.claim();
}

/** A tab of the old version may still load chunks that neither this version nor the server has any more. */
async function keepFormerParts(): Promise<void> {
  const cache = await caches.open(shell.strategy.cacheName);
  const own = new Set(shell.getURLsToCacheKeys().values());
  await caches.delete(formerParts);
  for (const request of await cache.keys()) {
    if (own.has(request.url) || !isPart(new URL(request.url).pathname)) continue;
    const part = await cache.match(request);
    if (part) await caches.open(formerParts).then((former) => former.put(request, part));
  }
}

const longestSendingMs = 120_000;

/** Throws to make the browser retry the sync event later. */
async function sendWhatWaits(tag: string): Promise<void> {
  const dbName = dbNameOf(tag);
  if (dbName === null) return;
  const result = await sendInBackground(dbName, tryWebLock, {
    ...browserContext,
    signal: AbortSignal.timeout(longestSendingMs),
  });
  if (result === 'later') throw new Error('Something still waits to be sent');
}

/** A file with a content hash in its name. */
function isPart(pathname: string): boolean {
  return pathname.startsWith('/assets/');
}
