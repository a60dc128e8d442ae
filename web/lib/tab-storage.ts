import { getSessionView, onSessionChange } from './session.ts';

/** Access to a value stored in this tab for the signed-in account. */
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
export const createTabStore = <Value>(
  name: string,
  parseValue: (stored: unknown) => Value,
  onSessionEnd?: (value: Value) => void,
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
      if (ownerId) sessionStorage.setItem(key, JSON.stringify({ user_id: ownerId, value }));
      else sessionStorage.removeItem(key);
    } catch {
      // Storage may be blocked or full; the value then lasts until the tab is reloaded.
    }
  };

  const notifyListeners = (): void => {
    for (const listener of listeners) listener();
  };

  const switchAccount = (): void => {
    const next = getSessionView().user?.id;
    if (next === ownerId) return;
    const previousValue = value;
    const hadOwner = ownerId !== undefined;
    ownerId = next;
    value = parseValue(ownerId && readStoredValue());
    writeValue();
    notifyListeners();
    if (hadOwner) onSessionEnd?.(previousValue);
  };
  onSessionChange(switchAccount);
  switchAccount();

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
