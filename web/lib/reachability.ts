import { useSyncExternalStore } from 'react';

/** `offline`: the device has no network. `lost`: it has one, but the live connection is broken. */
export type Reachability = 'live' | 'lost' | 'offline';

/** The live connection broke or could not be opened. False before the first attempt. */
let broken = false;
const listeners = new Set<() => void>();

const notify = (): void => {
  for (const listener of listeners) listener();
};

/** Returns whether the server seems to be reachable. */
export const reachabilityNow = (): Reachability => {
  if (!navigator.onLine) return 'offline';
  return broken ? 'lost' : 'live';
};

/** Records that the live connection opened or broke. */
export const noteConnection = (open: boolean): void => {
  broken = !open;
  notify();
};

/** Calls `listener` whenever reachability may have changed. Returns an unsubscribe function. */
export const onReachabilityChange = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    window.addEventListener('online', notify);
    window.addEventListener('offline', notify);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('online', notify);
    window.removeEventListener('offline', notify);
  };
};

/** Returns the reachability of the server and renders again when it changes. */
export const useReachability = (): Reachability =>
  useSyncExternalStore(onReachabilityChange, reachabilityNow, () => 'live');
