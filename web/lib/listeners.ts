/**
 * Creates a set of listeners, which `notify` and the given events of the window call. `storage` means that another tab has
 * changed stored data. `subscribe` returns an unsubscribe function.
 */
export const createListeners = (...windowEvents: ('storage' | 'online' | 'offline')[]) => {
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void): (() => void) => {
    if (listeners.size === 0) for (const name of windowEvents) window.addEventListener(name, notify);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) for (const name of windowEvents) window.removeEventListener(name, notify);
    };
  };
  return { subscribe, notify };
};
