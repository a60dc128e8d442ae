import { getSessionSnapshot, onSessionChange } from './session.ts';

/** Access to a value stored in this tab for the signed-in account, or for visitors. */
export interface TabStore<Value> {
  get: () => Value;
  set: (next: Value) => void;
  /** Calls `listener` after every change. Returns an unsubscribe function. */
  subscribe: (listener: () => void) => () => void;
}

export interface TabStoreOptions<Value> {
  /** Called when the session of an account has ended, with the last value that was stored for the account. */
  onSessionEnd?: (value: Value) => void;
  /**
   * Whether the store is for visitors instead of accounts. Such a store has a value only while nobody is
   * signed in.
   */
  isForVisitors?: boolean;
}

/** Owner id of values that are stored while nobody is signed in. */
const signedOutOwnerId = 'visitor';

/**
 * Creates a store for a value of one account, or of visitors. The value survives navigation and
 * reloads of this tab. It is removed when the session ends (for visitors: when somebody logs in) or
 * the tab closes, so that the next person on a shared computer does not find it. Without session
 * storage, the value is kept in memory only. `parseValue` parses the stored value and returns the
 * empty value for undefined.
 */
export const createTabStore = <Value>(
  name: string,
  parseValue: (stored: unknown) => Value,
  { onSessionEnd, isForVisitors = false }: TabStoreOptions<Value> = {},
): TabStore<Value> => {
  const key = `quad.${name}`;
  const listeners = new Set<() => void>();
  let ownerId: string | undefined;
  let value = parseValue(undefined);

  const readStoredValue = (): unknown => {
    try {
      const { user_id, value: found } = JSON.parse(sessionStorage.getItem(key) ?? '{}');
      return user_id === ownerId ? found : undefined;
    } catch {
      return undefined;
    }
  };

  const writeValue = (): void => {
    try {
      sessionStorage.setItem(key, JSON.stringify({ user_id: ownerId, value }));
    } catch {
      // Storage may be blocked or full; the value then lasts until the tab is reloaded.
    }
  };

  const removeStoredValue = (): void => {
    try {
      sessionStorage.removeItem(key);
    } catch {
      // If storage is blocked, it contains no value to remove.
    }
  };

  const notifyListeners = (): void => {
    for (const listener of listeners) listener();
  };

  const switchAccount = (): void => {
    const { loading, user } = getSessionSnapshot();
    const visitor = loading || user ? undefined : signedOutOwnerId;
    const next = isForVisitors ? visitor : user?.id;
    if (next === ownerId) return;
    const previousValue = value;
    const hadOwner = ownerId !== undefined;
    ownerId = next;
    value = parseValue(ownerId && readStoredValue());
    // Writing also replaces a value that another account has left in this tab.
    if (ownerId) writeValue();
    else removeStoredValue();
    notifyListeners();
    if (hadOwner) onSessionEnd?.(previousValue);
  };
  onSessionChange(switchAccount);
  switchAccount();
  // The session may have ended or begun while the tab displayed a page without this store.
  if (!ownerId) removeStoredValue();

  return {
    get: () => value,
    set: (next) => {
      if (!ownerId) return;
      value = next;
      writeValue();
      notifyListeners();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
