import {
  eraseDeviceData,
  isSavedDataExpired,
  savedAtHeaderName,
  toDeviceDataName,
  toFileKey,
} from './device-cleanup.ts';
import { getSessionSnapshot, hasLoggedOut, onSessionChange, sessionStorageKey } from './session.ts';

/** A saved value and the time of saving, as Unix time in milliseconds. */
export interface SavedValue {
  saved_at: number;
  value: unknown;
}

/** Data that could not be stored on the device. It is lost when the tab is reloaded. */
const textsInMemory = new Map<string, string>();
const filesInMemory = new Map<string, File>();

onSessionChange(() => {
  if (!hasLoggedOut()) return;
  textsInMemory.clear();
  filesInMemory.clear();
});

/**
 * Returns whether an account is still signed in, according to this tab and the storage that all tabs
 * share.
 */
const isSignedIn = (ownerId: string): boolean => {
  if (hasLoggedOut() || getSessionSnapshot().user?.id !== ownerId) return false;
  try {
    return localStorage.getItem(sessionStorageKey) !== null;
  } catch {
    // If storage is blocked, only this tab knows the session, which it keeps in memory.
    return true;
  }
};

const toStorageKey = (ownerId: string, name: string): string => `${toDeviceDataName(ownerId)}.${name}`;

const readText = (key: string): string | null => {
  try {
    return textsInMemory.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
};

/**
 * Returns the value that this account saved on this device under `name`. Returns undefined if there is none
 * or it is older than 30 days.
 */
export const findValueOnDevice = (
  ownerId: string,
  name: string,
  now = Date.now(),
): SavedValue | undefined => {
  try {
    const saved: SavedValue = JSON.parse(readText(toStorageKey(ownerId, name)) ?? 'null');
    return saved && !isSavedDataExpired(saved.saved_at, now) ? saved : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Saves a value for the signed-in account and replaces the previous one. Returns whether the value
 * is stored on the device; if storage is full or blocked, the value is kept in this tab only. Saves
 * nothing if the session has ended in this or another tab, because logging out erases saved data.
 */
export const saveValueOnDevice = (
  ownerId: string,
  name: string,
  value: unknown,
  now = Date.now(),
): boolean => {
  if (!isSignedIn(ownerId)) return false;
  const key = toStorageKey(ownerId, name);
  const text = JSON.stringify({ saved_at: now, value } satisfies SavedValue);
  try {
    localStorage.setItem(key, text);
    textsInMemory.delete(key);
    return true;
  } catch {
    textsInMemory.set(key, text);
    return false;
  }
};

/** Returns the names that begin with `prefix` under which this account has saved values on this device. */
export const listNamesOnDevice = (ownerId: string, prefix: string): string[] => {
  const start = toStorageKey(ownerId, '');
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(`${start}${prefix}`))
      .map((key) => key.slice(start.length));
  } catch {
    return [];
  }
};

/**
 * Calls `listener` when another tab saves or removes a value of this account. Returns an unsubscribe
 * function.
 */
export const onDeviceStorageChange = (ownerId: string, listener: () => void): (() => void) => {
  const start = toStorageKey(ownerId, '');
  const handle = ({ key }: StorageEvent): void => {
    if (key?.startsWith(start)) listener();
  };
  window.addEventListener('storage', handle);
  return () => window.removeEventListener('storage', handle);
};

export const removeValueFromDevice = (ownerId: string, name: string): void => {
  const key = toStorageKey(ownerId, name);
  textsInMemory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // If storage is blocked, it contains no value to remove.
  }
};

/**
 * Saves a file under an id. Returns whether it is stored on the device, as opposed to this tab only. Saves
 * nothing if the session has ended, and erases the file again if the person logged out while it was being
 * saved.
 */
export const saveFileOnDevice = async (
  ownerId: string,
  id: string,
  file: File,
  now = Date.now(),
): Promise<boolean> => {
  if (!isSignedIn(ownerId)) return false;
  filesInMemory.set(id, file);
  try {
    const cache = await caches.open(toDeviceDataName(ownerId));
    const headers = {
      'content-type': file.type,
      [savedAtHeaderName]: String(now),
      'x-file-name': encodeURIComponent(file.name),
    };
    await cache.put(toFileKey(id), new Response(file, { headers }));
    filesInMemory.delete(id);
    if (!hasLoggedOut()) return true;
    await eraseDeviceData(ownerId);
    return false;
  } catch {
    return false;
  }
};

/** Returns a file that this account saved on this device, or undefined if there is none. */
export const findFileOnDevice = async (ownerId: string, id: string): Promise<File | undefined> => {
  const inMemory = filesInMemory.get(id);
  if (inMemory) return inMemory;
  try {
    const found = await (await caches.open(toDeviceDataName(ownerId))).match(toFileKey(id));
    if (!found) return undefined;
    const name = decodeURIComponent(found.headers.get('x-file-name') ?? 'photo');
    return new File([await found.blob()], name, { type: found.headers.get('content-type') ?? '' });
  } catch {
    return undefined;
  }
};

/** Removes saved files; ids without a file are ignored. */
export const removeFilesFromDevice = async (ownerId: string, ids: readonly string[]): Promise<void> => {
  for (const id of ids) filesInMemory.delete(id);
  try {
    const cache = await caches.open(toDeviceDataName(ownerId));
    for (const id of ids) await cache.delete(toFileKey(id));
  } catch {
    // If storage is blocked, it contains no files to remove.
  }
};
