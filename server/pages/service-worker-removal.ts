/**
 * Service worker script that replaces an installed service worker when offline use is turned off:
 * it deletes the caches and unregisters itself. The previous worker may still be writing to its
 * caches, so the script deletes them repeatedly until no new cache has appeared for a while.
 */
export const serviceWorkerRemovalScript = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(retire()));
async function retire() {
  for (let looks = 0, empty = 0; empty < 3 && looks < 20; looks += 1) {
    const names = await caches.keys();
    for (const name of names) await caches.delete(name);
    empty = names.length > 0 ? 0 : empty + 1;
    await new Promise((done) => setTimeout(done, 500));
  }
  indexedDB.deleteDatabase('workbox-expiration');
  await registration.unregister();
}
`;
