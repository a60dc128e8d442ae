/**
 * Replaces a service worker that is no longer wanted: deletes its caches and unregisters itself. The previous worker may
 * still be writing to its caches, so this one repeats until nothing new has appeared for a while.
 */
export const retiringWorker = `addEventListener('install', () => skipWaiting());
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
