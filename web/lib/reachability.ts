import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

/**
 * Whether the server can be reached. `live`: no known problem. `lost`: the socket is disconnected
 * although the device has a network. `offline`: the device has no network.
 */
export type Reachability = 'live' | 'lost' | 'offline';

/** Whether the socket disconnected or could not connect. False before the first attempt. */
let isConnectionBroken = false;
const { subscribe, notify } = createListeners('online', 'offline');

export const getReachability = (): Reachability => {
  if (!navigator.onLine) return 'offline';
  return isConnectionBroken ? 'lost' : 'live';
};

/** Records whether the socket is connected, and notifies the listeners. */
export const recordConnectionState = (isOpen: boolean): void => {
  isConnectionBroken = !isOpen;
  notify();
};

/** Calls `listener` whenever reachability may have changed. Returns an unsubscribe function. */
export const onReachabilityChange = subscribe;

/** Returns the reachability of the server, and rerenders the component when it changes. */
export const useReachability = (): Reachability =>
  useSyncExternalStore(onReachabilityChange, getReachability, () => 'live');
