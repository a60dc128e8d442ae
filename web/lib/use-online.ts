import { useSyncExternalStore } from 'react';

const subscribeToOnlineChanges = (listener: () => void): (() => void) => {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
};

/** Returns whether the device reports a connection. Returns true on the server. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribeToOnlineChanges,
    () => navigator.onLine,
    () => true,
  );
