/**
 * Everything that this site stores in the browser as text. Values of accounts and tabs are declared with
 * `declareStoredValue`, all others in `browserKeys`. Photos are in `stored-files.ts`, cached pages in the service worker.
 * Storage may be blocked or full; values that it does not accept last until the page is reloaded.
 */

/** The keys of values that belong to this browser instead of an account, and until when they are kept. */
const browserKeys = {
  /**
   * The session, which the auth client stores and removes. While somebody is at the university's sign-on, it also stores the
   * secret of that log-in, under keys that begin with this one.
   */
  'quad.session': 'forever',
  /** The id of the account that logged out last. It is removed at the next log-in. */
  'quad.logged-out': 'forever',
  'quad.push-declined': 'forever',
  /** When this browser last offered to add a passkey. */
  'quad.passkey-offered': 'forever',
  'quad-theme': 'forever',
  /** Set once this browser has opened a page; also in session storage, in the tab that opened the first one. */
  'quad-visited': 'forever',
  'quad.saved-listings': 'log-out',
  'quad.searches': 'end of session',
} as const;

export type BrowserKey = keyof typeof browserKeys;

/** Owner id of values that are stored in a tab while nobody is signed in. */
export const visitorId = 'visitor';

/** How long values of an account are kept, in milliseconds: 30 days. */
const retentionMs = 30 * 24 * 60 * 60_000;

/** Returns access to local or session storage that never throws. */
const createStorageArea = (open: () => Storage) => {
  const textsInMemory = new Map<string, string>();
  return {
    read: (key: string): string | null => {
      try {
        return textsInMemory.get(key) ?? open().getItem(key);
      } catch {
        return null;
      }
    },
    /** Returns whether the browser has stored the text; otherwise this document keeps it. */
    write: (key: string, text: string): boolean => {
      textsInMemory.delete(key);
      try {
        open().setItem(key, text);
        return true;
      } catch {
        textsInMemory.set(key, text);
        return false;
      }
    },
    remove: (key: string): void => {
      textsInMemory.delete(key);
      try {
        open().removeItem(key);
      } catch {
        // If storage is blocked, it contains nothing to remove.
      }
    },
    listKeys: (prefix: string): string[] => {
      let stored: string[] = [];
      try {
        stored = Object.keys(open());
      } catch {
        // If storage is blocked, only the texts in memory exist.
      }
      return [...textsInMemory.keys(), ...stored].filter((key) => key.startsWith(prefix));
    },
  };
};

const device = createStorageArea(() => localStorage);
const tab = createStorageArea(() => sessionStorage);
const tabPrefix = 'quad.';

export const readBrowserText = (key: BrowserKey): string | null => device.read(key);

/** Stores or, for null, removes a text. Returns whether the browser has stored it. */
export const writeBrowserText = (key: BrowserKey, text: string | null): boolean => {
  if (text !== null) return device.write(key, text);
  device.remove(key);
  return true;
};

export const readBrowserList = (key: BrowserKey): string[] => {
  try {
    const stored: unknown = JSON.parse(device.read(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((it) => typeof it === 'string') : [];
  } catch {
    return [];
  }
};

interface StoredRecord {
  /** On the device: when the value was saved, as Unix time in milliseconds. */
  saved_at?: number;
  /** In a tab: the owner. */
  user_id?: string;
  value?: unknown;
  /** In the session that the auth client stores. */
  user?: { id?: string };
}

const parseRecord = (text: string | null): StoredRecord => {
  try {
    return JSON.parse(text ?? '') ?? {};
  } catch {
    return {};
  }
};

/** Returns whether data that was saved at this time (Unix time in milliseconds) is too old to use. */
export const isExpired = (savedAt: number): boolean =>
  // A time of saving in the future comes from a wrong clock; such data would otherwise never expire.
  !(savedAt <= Date.now() && Date.now() - savedAt < retentionMs);

const accountPrefix = 'quad.saved.';
/**
 * The name of the cache with an account's files, and the beginning of the keys of its values. The service worker
 * deletes unknown caches whose names begin with its own prefix, so this one differs.
 */
export const toAccountName = (ownerId: string): string => `${accountPrefix}${ownerId}`;

/** Returns the id of the account to which the name of a cache belongs, or undefined. */
export const findOwnerOfCache = (name: string): string | undefined =>
  name.startsWith(accountPrefix) ? name.slice(accountPrefix.length) : undefined;

/** Returns everything that an account has stored on this device, as one text. */
export const readAllOfAccount = (ownerId: string): string =>
  device
    .listKeys(`${toAccountName(ownerId)}.`)
    .map((key) => device.read(key))
    .join();

/** Returns whether an account was the last one to log out of this browser, in any tab, and has not logged in since. */
export const hasAccountLoggedOut = (ownerId: string): boolean => device.read('quad.logged-out') === ownerId;

/**
 * Returns whether values of an account may be stored: it is signed in, according to the storage that all tabs share, and
 * is not logging out.
 */
export const mayStoreFor = (ownerId: string): boolean => {
  if (hasAccountLoggedOut(ownerId)) return false;
  let session: string | null;
  try {
    session = localStorage.getItem('quad.session');
  } catch {
    // If storage is blocked, only this tab knows the session, which it keeps in memory.
    return true;
  }
  return parseRecord(session).user?.id === ownerId;
};

export interface StoredValueOptions<Value> {
  name: string;
  /**
   * - `device`: in local storage under the account's id, for 30 days. Log-out and account deletion erase it. It stays,
   *   invisible to others, if the session is only lost.
   * - `tab`: in session storage, until the tab is closed, its owner logs out or somebody else logs in.
   */
  scope: 'device' | 'tab';
  /** Validates a stored value. `savedAt` is a Unix time in milliseconds. Returns undefined if the value is unusable. */
  parse: (stored: unknown, savedAt: number) => Value | undefined;
}

/** Declares a value of each account, or several of them with ids. */
export const declareStoredValue = <Value>({ name, scope, parse }: StoredValueOptions<Value>) => {
  const area = scope === 'tab' ? tab : device;
  const toKey = (ownerId: string, id: string): string =>
    (scope === 'tab' ? `${tabPrefix}${name}` : `${toAccountName(ownerId)}.${name}`) + (id && `.${id}`);
  return {
    /** Returns undefined if there is no valid value. */
    find: (ownerId: string, id = ''): Value | undefined => {
      const { user_id, saved_at = Number.NaN, value } = parseRecord(area.read(toKey(ownerId, id)));
      const isUsable = scope === 'tab' ? user_id === ownerId : !isExpired(saved_at);
      return isUsable ? parse(value, saved_at) : undefined;
    },
    /**
     * Returns whether the browser has stored the value, as opposed to this document. Stores nothing on the device if the
     * session has ended, in this or another tab.
     */
    save: (ownerId: string, value: unknown, id = ''): boolean => {
      if (scope === 'device' && !mayStoreFor(ownerId)) return false;
      const record: StoredRecord = {
        ...(scope === 'tab' ? { user_id: ownerId } : { saved_at: Date.now() }),
        value,
      };
      return area.write(toKey(ownerId, id), JSON.stringify(record));
    },
    remove: (ownerId: string, id = ''): void => area.remove(toKey(ownerId, id)),
    listIds: (ownerId: string): string[] => {
      const prefix = `${toKey(ownerId, '')}.`;
      return area.listKeys(prefix).map((key) => key.slice(prefix.length));
    },
  };
};

/** Calls `listener` when another tab stores or removes a value of an account. Returns an unsubscribe function. */
export const onChangeInOtherTab = (ownerId: string, listener: () => void): (() => void) => {
  const handle = ({ key }: StorageEvent): void => {
    if (key?.startsWith(`${toAccountName(ownerId)}.`)) listener();
  };
  window.addEventListener('storage', handle);
  return () => window.removeEventListener('storage', handle);
};

/** Erases everything that an account has stored on this device, its values immediately. Never throws. */
export const eraseAccountData = async (ownerId: string): Promise<void> => {
  for (const key of device.listKeys(`${toAccountName(ownerId)}.`)) device.remove(key);
  // Cache Storage is missing on insecure pages, and some private windows block it.
  await globalThis.caches?.delete(toAccountName(ownerId)).catch(() => {});
};

/**
 * Erases what the next person at this browser must not find, after the account `from` or a visitor has become the account
 * `to` or a visitor. If the session was only lost, keeps what its owner typed in this tab, because they will
 * probably log in again.
 */
export const eraseOnAccountChange = (
  from: string | undefined,
  to: string | undefined,
  hasLoggedOut: boolean,
): void => {
  if (from)
    for (const [key, end] of Object.entries(browserKeys))
      if (end === 'end of session' || (end === 'log-out' && hasLoggedOut)) device.remove(key);
  if (!to && !hasLoggedOut) return;
  for (const key of tab.listKeys(tabPrefix))
    if (!to || parseRecord(tab.read(key)).user_id !== to) tab.remove(key);
};

/** Removes the values of all accounts that are older than 30 days. */
export const removeExpiredValues = (): void => {
  for (const key of device.listKeys(accountPrefix))
    if (isExpired(parseRecord(device.read(key)).saved_at ?? Number.NaN)) device.remove(key);
};
