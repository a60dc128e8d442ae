/**
 * Prefix of all names under which forms save data on this device. Files of an account are in a cache
 * (Cache Storage) whose name is the prefix and the account id. Texts are in local storage, under keys
 * that begin with the same name and a dot. The data remains when the session expires. The prefix must
 * differ from that of the service worker's caches, because the service worker deletes unknown caches with
 * its own prefix.
 */
const deviceDataPrefix = 'quad.saved.';
export const toDeviceDataName = (ownerId: string): string => `${deviceDataPrefix}${ownerId}`;

/** How long saved data stays on the device, in milliseconds: 30 days. */
const retentionMs = 30 * 24 * 60 * 60_000;

/**
 * The response header with which a saved file stores its time of saving, in milliseconds since
 * 1970.
 */
export const savedAtHeaderName = 'x-saved-at';

const fileKeyPrefix = '/saved-files/';
/** Returns the key of a saved file in the cache. */
export const toFileKey = (id: string): string => `${fileKeyPrefix}${encodeURIComponent(id)}`;

/**
 * Returns whether saved data is too old to use. `savedAt` and `now` are Unix times in milliseconds.
 */
export const isSavedDataExpired = (savedAt: number, now: number): boolean =>
  // A time of saving in the future comes from a wrong clock; such data would otherwise never
  // expire.
  !(savedAt <= now && now - savedAt < retentionMs);

/**
 * Returns when a stored text was saved, as Unix time in milliseconds; NaN when the text is invalid.
 */
const readSavedAt = (text: string | null): number => {
  try {
    return Number(JSON.parse(text ?? '').saved_at);
  } catch {
    return Number.NaN;
  }
};

const removeStoredTexts = (prefix: string, isRemoved: (text: string | null) => boolean): void => {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(prefix) && isRemoved(localStorage.getItem(key))) localStorage.removeItem(key);
    }
  } catch {
    // If access to local storage is blocked, this page can neither save nor remove data there.
  }
};

/** Erases everything that forms saved on this device for this account. Never throws. */
export const eraseDeviceData = async (ownerId: string): Promise<void> => {
  const name = toDeviceDataName(ownerId);
  removeStoredTexts(`${name}.`, () => true);
  // Cache Storage is missing on insecure pages, and some private windows block it.
  await globalThis.caches?.delete(name).catch(() => {});
};

/** Removes expired files from a cache, as well as files whose ids do not occur in `texts`. */
const removeUnusedFiles = async (name: string, texts: string, now: number): Promise<void> => {
  const cache = await caches.open(name);
  for (const request of await cache.keys()) {
    const savedAt = Number((await cache.match(request))?.headers.get(savedAtHeaderName) ?? Number.NaN);
    const id = decodeURIComponent(new URL(request.url).pathname.slice(fileKeyPrefix.length));
    if (isSavedDataExpired(savedAt, now) || !texts.includes(id)) await cache.delete(request);
  }
};

/**
 * Removes the data of all accounts that was saved more than 30 days before `now` (Unix time in milliseconds),
 * and files to which no saved text of the same account refers.
 */
export const removeExpiredDeviceData = async (now: number): Promise<void> => {
  removeStoredTexts(deviceDataPrefix, (text) => isSavedDataExpired(readSavedAt(text), now));
  try {
    for (const name of await caches.keys()) {
      if (!name.startsWith(deviceDataPrefix)) continue;
      const texts = Object.keys(localStorage)
        .filter((key) => key.startsWith(`${name}.`))
        .map((key) => localStorage.getItem(key))
        .join();
      if (texts) await removeUnusedFiles(name, texts, now);
      else await caches.delete(name);
    }
  } catch {
    // If access to storage is blocked, this page can neither save nor remove data there.
  }
};
