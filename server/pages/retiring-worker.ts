/** Takes the place of a service worker that is no longer wanted: drops what that one kept, and itself. */
export const retiringWorker = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(retire()));
async function retire() {
  for (const name of await caches.keys()) await caches.delete(name);
  indexedDB.deleteDatabase('workbox-expiration');
  await registration.unregister();
}
`;
