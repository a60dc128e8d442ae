import { onSessionChange, sessionNow } from './session.ts';

/** A value this tab keeps for the person who is signed in. */
export interface TabStore<Value> {
  get: () => Value;
  set: (next: Value) => void;
  /** Calls `listener` after every change; answers how to stop. */
  subscribe: (listener: () => void) => () => void;
}

/**
 * Keeps a value across screens and reloads of this tab, for one account: on a shared computer the next person finds
 * nothing, since it goes when the session ends or the tab is closed. Where nothing can be stored it lives in memory.
 * `read` makes the value out of what was stored, and the empty one out of undefined.
 */
export const storeInTab = <Value>(
  name: string,
  read: (stored: unknown) => Value,
  onForgotten?: (value: Value) => void,
): TabStore<Value> => {
  const place = `quad.${name}`;
  const listeners = new Set<() => void>();
  let owner: string | undefined;
  let value = read(undefined);

  const stored = (): unknown => {
    try {
      const { user_id, value: found } = JSON.parse(sessionStorage.getItem(place) ?? '{}');
      return user_id === owner ? found : undefined;
    } catch {
      return undefined;
    }
  };

  const store = (): void => {
    try {
      if (owner) sessionStorage.setItem(place, JSON.stringify({ user_id: owner, value }));
      else sessionStorage.removeItem(place);
    } catch {
      // Storage may be switched off or full; until the tab is reloaded, memory does.
    }
  };

  const tell = (): void => {
    for (const listener of listeners) listener();
  };

  const follow = (): void => {
    const next = sessionNow().user?.id;
    if (next === owner) return;
    const before = value;
    const left = owner !== undefined;
    owner = next;
    value = read(owner && stored());
    store();
    tell();
    if (left) onForgotten?.(before);
  };
  onSessionChange(follow);
  follow();

  return {
    get: () => value,
    set: (next) => {
      if (!owner) return;
      value = next;
      store();
      tell();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
