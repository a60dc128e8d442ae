import { useSyncExternalStore } from 'react';

/** `offline`: the device has no network. `lost`: it has one, but the live connection is broken. */
export type Reachability = 'live' | 'lost' | 'offline';

/** The live connection broke or could not be opened. False before the first attempt. */
let isConnectionBroken = false;
const listeners = new Set<() => void>();

const notifyListeners = (): void => {
  for (const listener of listeners) listener();
};

/** Returns whether the server seems to be reachable. */
export const getReachability = (): Reachability => {
  if (!navigator.onLine) return 'offline';
  return isConnectionBroken ? 'lost' : 'live';
};

/** Records that the live connection opened or broke. */
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

/** Returns the reachability of the server and renders again when it changes. */
export const useReachability = (): Reachability =>
  useSyncExternalStore(onReachabilityChange, getReachability, () => 'live');
