import { useSyncExternalStore } from 'react';

/** `offline`: the device has no network. `lost`: it has, and the live connection is broken all the same. */
export type Reachability = 'live' | 'lost' | 'offline';

/** The live connection broke, or could not be made; false also before the first try. */
let broken = false;
const listeners = new Set<() => void>();

const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Whether the server seems to be in reach. */
export const reachabilityNow = (): Reachability => {
  if (!navigator.onLine) return 'offline';
  return broken ? 'lost' : 'live';
};

/** Notes that the live connection opened or broke. */
export const noteConnection = (open: boolean): void => {
  broken = !open;
  tell();
};

/** Calls `listener` whenever the reach may have changed; answers how to stop. */
export const onReachabilityChange = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    window.addEventListener('online', tell);
    window.addEventListener('offline', tell);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('online', tell);
    window.removeEventListener('offline', tell);
  };
};

/** Whether the server seems to be in reach, for a screen to say so. */
export const useReachability = (): Reachability =>
  useSyncExternalStore(onReachabilityChange, reachabilityNow, () => 'live');
