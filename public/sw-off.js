// The way out when a service worker went wrong: served in the place of sw.js, it takes over from whatever worker a
// browser has, removes every cache and then itself. The pages then come from the server again. What people did and did
// not send yet lies in their database and stays.
self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => event.waitUntil(leave()));

async function leave() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
