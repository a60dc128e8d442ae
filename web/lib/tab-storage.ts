import { onSessionChange, sessionNow } from './session.ts';

/** A value stored in this tab for the signed-in person. */
export interface TabStore<Value> {
  get: () => Value;
  set: (next: Value) => void;
  /** Calls `listener` after every change; returns an unsubscribe function. */
  subscribe: (listener: () => void) => () => void;
}

/**
 * Stores a value across screens and reloads of this tab, for one account. It is removed when the session ends or the tab
 * closes, so the next person on a shared computer finds nothing. Without session storage it lives in memory. `read`
 * parses the stored value, and returns the empty one for undefined.
 */
export const storeInTab = <Value>(
  name: string,
  read: (stored: unknown) => Value,
  onSessionEnd?: (value: Value) => void,
): TabStore<Value> => {
  const key = `quad.${name}`;
  const listeners = new Set<() => void>();
  let owner: string | undefined;
  let value = read(undefined);

  const stored = (): unknown => {
    try {
      const { user_id, value: found } = JSON.parse(sessionStorage.getItem(key) ?? '{}');
      return user_id === owner ? found : undefined;
    } catch {
      return undefined;
    }
  };

  const store = (): void => {
    try {
      if (owner) sessionStorage.setItem(key, JSON.stringify({ user_id: owner, value }));
      else sessionStorage.removeItem(key);
    } catch {
      // Storage may be blocked or full; the value then lasts until the tab is reloaded.
    }
  };

  const notify = (): void => {
    for (const listener of listeners) listener();
  };

  const followSession = (): void => {
    const next = sessionNow().user?.id;
    if (next === owner) return;
    const before = value;
    const hadOwner = owner !== undefined;
    owner = next;
    value = read(owner && stored());
    store();
    notify();
    if (hadOwner) onSessionEnd?.(before);
  };
  onSessionChange(followSession);
  followSession();

  return {
    get: () => value,
    set: (next) => {
      if (!owner) return;
      value = next;
      store();
      notify();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
