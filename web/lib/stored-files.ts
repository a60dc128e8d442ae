import {
  eraseAccountData,
  findOwnerOfCache,
  hasAccountLoggedOut,
  isExpired,
  mayStoreFor,
  readAllOfAccount,
  removeExpiredValues,
  toAccountName,
} from './stored-values.ts';

// Files of an account are in a cache of its own (Cache Storage), so that erasing them cannot be blocked by other tabs.

/** Files that could not be stored, by id. They are lost when the page is reloaded. */
const filesInMemory = new Map<string, File>();

/** The response header with which a file stores its time of saving, as Unix time in milliseconds. */
const savedAtHeaderName = 'x-saved-at';
const fileKeyPrefix = '/saved-files/';
const toFileKey = (id: string): string => `${fileKeyPrefix}${encodeURIComponent(id)}`;

/**
 * Saves a file under an id. Returns whether it is stored on the device, as opposed to this document. Saves nothing if
 * the session has ended, and erases the file again if the person logged out while it was being saved.
 */
export const saveFile = async (ownerId: string, id: string, file: File): Promise<boolean> => {
  if (!mayStoreFor(ownerId)) return false;
  filesInMemory.set(id, file);
  try {
    const cache = await caches.open(toAccountName(ownerId));
    const headers = {
      'content-type': file.type,
      [savedAtHeaderName]: String(Date.now()),
      'x-file-name': encodeURIComponent(file.name),
    };
    await cache.put(toFileKey(id), new Response(file, { headers }));
    filesInMemory.delete(id);
    if (!hasAccountLoggedOut(ownerId)) return true;
    await eraseAccountData(ownerId);
    return false;
  } catch {
    return false;
  }
};

/** Returns a file that this account saved, or undefined if there is none. */
export const findFile = async (ownerId: string, id: string): Promise<File | undefined> => {
  const inMemory = hasAccountLoggedOut(ownerId) ? undefined : filesInMemory.get(id);
  if (inMemory) return inMemory;
  try {
    const found = await (await caches.open(toAccountName(ownerId))).match(toFileKey(id));
    if (!found) return undefined;
    const name = decodeURIComponent(found.headers.get('x-file-name') ?? 'photo');
    return new File([await found.blob()], name, { type: found.headers.get('content-type') ?? '' });
  } catch {
    return undefined;
  }
};

/** Returns whether a file is stored on the device, as opposed to this document. */
export const isFileOnDevice = async (ownerId: string, id: string): Promise<boolean> =>
  !filesInMemory.has(id) && (await findFile(ownerId, id)) !== undefined;

/** Removes saved files; ids without a file are ignored. */
export const removeFiles = async (ownerId: string, ids: readonly string[]): Promise<void> => {
  for (const id of ids) filesInMemory.delete(id);
  try {
    const cache = await caches.open(toAccountName(ownerId));
    for (const id of ids) await cache.delete(toFileKey(id));
  } catch {
    // If storage is blocked, it contains no files to remove.
  }
};

/** Removes expired files from a cache, as well as files whose ids do not occur in `texts`. */
const removeUnusedFiles = async (name: string, texts: string): Promise<void> => {
  const cache = await caches.open(name);
  for (const request of await cache.keys()) {
    const savedAt = Number((await cache.match(request))?.headers.get(savedAtHeaderName) ?? Number.NaN);
    const id = decodeURIComponent(new URL(request.url).pathname.slice(fileKeyPrefix.length));
    if (isExpired(savedAt) || !texts.includes(id)) await cache.delete(request);
  }
};

/** Removes the values and files of all accounts that are older than 30 days, and files to which no value refers. */
export const removeExpiredAccountData = async (): Promise<void> => {
  removeExpiredValues();
  try {
    for (const name of await caches.keys()) {
      const ownerId = findOwnerOfCache(name);
      if (ownerId === undefined) continue;
      const texts = readAllOfAccount(ownerId);
      if (texts) await removeUnusedFiles(name, texts);
      else await caches.delete(name);
    }
  } catch {
    // If access to storage is blocked, this page can neither save nor remove files.
  }
};
