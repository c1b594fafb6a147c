import { PrecacheController, PrecacheRoute, PrecacheStrategy } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { dbNameOf } from '#client/sync/background/tag.ts';
import { sendOutbox } from './outbox.ts';
import { confirmAnswers, onNotificationClick } from './push/on-click.ts';
import { onPush, onSubscriptionChange } from './push/on-push.ts';

/** Background Sync: Chromium only, and missing in TypeScript's DOM library. */
interface SyncEvent extends ExtendableEvent {
  tag: string;
}

/** Static routing: Chromium only, and missing in TypeScript's DOM library. */
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

// All files that the app needs, but no API responses: data is stored in the device database. Each file is checked
// against its hash, so that the page of a captive portal or an incomplete deployment is never cached instead.
const shell = new PrecacheController();
shell.addToCacheList(self.__WB_MANIFEST);

/** Assets of the previous version, for tabs that still run it. Do not change the name: installed workers use it. */
const previousAssets = 'sprig-former-parts';

registerRoute(new PrecacheRoute(shell));
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && isAsset(url.pathname),
  new PrecacheStrategy({ cacheName: previousAssets }),
);

const serverPaths = [/^\/(api|auth)(\/|$)/, /^\/healthz$/, /\.[a-z0-9]+$/i];
registerRoute(
  new NavigationRoute(shell.createHandlerBoundToURL('/index.html'), { denylist: serverPaths }),
);

self.addEventListener('install', (event: InstallEvent) => event.waitUntil(install(event)));

self.addEventListener('activate', (event) => event.waitUntil(activate(event)));

self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
  if (event.data?.type === 'OUTBOX_SENT') event.waitUntil(confirmAnswers(event.data.dbName));
});

self.addEventListener('sync', (event) => event.waitUntil(onSync(event.tag)));

self.addEventListener('push', (event) => event.waitUntil(onPush(event.data?.text() ?? null)));

self.addEventListener('notificationclick', (event) =>
  event.waitUntil(onNotificationClick(event.notification, event.action)),
);

self.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(onSubscriptionChange(event)),
);

/** The browser sends these requests directly to the network, so that they do not wait for this worker to start. */
const apiPatterns = ['/api/*', '/auth/*'];

async function install(event: InstallEvent): Promise<void> {
  const routes = apiPatterns.map(
    (pathname) => ({ condition: { urlPattern: { pathname } }, source: 'network' }) as const,
  );
  await event.addRoutes?.(routes).catch(() => null);
  // Without an older version (first installation, or after the kill switch public/sw-off.js) there is no tab to wait
  // for.
  if (!(await caches.has(shell.strategy.cacheName))) await self.skipWaiting();
  await shell.install(event);
}

async function activate(event: ExtendableEvent): Promise<void> {
  await keepPreviousAssets();
  await shell.activate(event);
  // Also control the page of the first visit, so that it works offline without a reload.
  await self.clients.claim();
}

/**
 * A tab of the old version may still load chunks that this version and the server no longer have. Copies them all at
 * once, because the requests of all tabs wait until this version is active.
 */
async function keepPreviousAssets(): Promise<void> {
  const cache = await caches.open(shell.strategy.cacheName);
  const own = new Set(shell.getURLsToCacheKeys().values());
  await caches.delete(previousAssets);
  const requests = await cache.keys();
  const previous = requests.filter(({ url }) => !own.has(url) && isAsset(new URL(url).pathname));
  // An empty cache is not created, e.g. at the first installation.
  if (previous.length === 0) return;
  const target = await caches.open(previousAssets);
  await Promise.all(
    previous.map(async (request) => {
      const asset = await cache.match(request);
      if (asset) await target.put(request, asset);
    }),
  );
}

/** Throws to make the browser retry the sync event later. */
async function onSync(tag: string): Promise<void> {
  const dbName = dbNameOf(tag);
  if (dbName === null) return;
  if ((await sendOutbox(dbName)) === 'later') throw new Error('The outbox is not empty yet');
  await confirmAnswers(dbName);
}

/** A file with a content hash in its name. */
function isAsset(pathname: string): boolean {
  return pathname.startsWith('/assets/');
}
