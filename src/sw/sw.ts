import {
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

declare const self: ServiceWorkerGlobalScope & {
  __WB_MANIFEST: Parameters<typeof precacheAndRoute>[0];
};

// The shell and its parts, and nothing of the API: data lives in the device's database.
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();

const serverPaths = [/^\/api(\/|$)/, /^\/auth(\/|$)/, /^\/healthz$/];
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('/index.html'), { denylist: serverPaths }),
);

self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
});

// The first visit is already an installed one: it may go offline without a reload.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
