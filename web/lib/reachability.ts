import { useSyncExternalStore } from 'react';

/**
 * Whether the server can be reached. `live`: no known problem. `lost`: the socket is disconnected
 * although the device has a network. `offline`: the device has no network.
 */
export type Reachability = 'live' | 'lost' | 'offline';

/** Whether the socket disconnected or could not connect. False before the first attempt. */
let isConnectionBroken = false;
const listeners = new Set<() => void>();

const notifyListeners = (): void => {
  for (const listener of listeners) listener();
};

/** Returns the current reachability of the server. */
export const getReachability = (): Reachability => {
  if (!navigator.onLine) return 'offline';
  return isConnectionBroken ? 'lost' : 'live';
};

/** Records whether the socket is connected, and notifies the listeners. */
export const recordConnectionState = (isOpen: boolean): void => {
  isConnectionBroken = !isOpen;
  notifyListeners();
};

/** Calls `listener` whenever reachability may have changed. Returns an unsubscribe function. */
export const onReachabilityChange = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    window.addEventListener('online', notifyListeners);
    window.addEventListener('offline', notifyListeners);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('online', notifyListeners);
    window.removeEventListener('offline', notifyListeners);
  };
};

/** Returns the reachability of the server, and rerenders the component when it changes. */
export const useReachability = (): Reachability =>
  useSyncExternalStore(onReachabilityChange, getReachability, () => 'live');
