import { findOnDevice, removeFromDevice, saveOnDevice } from '#web/lib/device-storage.ts';

const endpointName = 'push-endpoint';

/** Returns the address of this browser at its push service under which the server knows it for this account. */
export const findPushEndpoint = (ownId: string): string | undefined => {
  const saved = findOnDevice(ownId, endpointName)?.value;
  return typeof saved === 'string' ? saved : undefined;
};

export const savePushEndpoint = (ownId: string, endpoint: string): void => {
  saveOnDevice(ownId, endpointName, endpoint);
};

export const removePushEndpoint = (ownId: string): void => removeFromDevice(ownId, endpointName);

/** Local storage key; it belongs to the device, not to an account, and stays after a log-out. */
const declinedKey = 'quad.push-declined';
let hasDeclinedInTab = false;

/** Returns whether somebody has declined push notifications on this device when they were offered. */
export const hasDeclinedPushes = (): boolean => {
  try {
    return hasDeclinedInTab || localStorage.getItem(declinedKey) !== null;
  } catch {
    return hasDeclinedInTab;
  }
};

/** Remembers that push notifications must not be offered again on this device; `false` forgets it. */
export const setPushesDeclined = (isDeclined: boolean): void => {
  hasDeclinedInTab = isDeclined;
  try {
    if (isDeclined) localStorage.setItem(declinedKey, 'yes');
    else localStorage.removeItem(declinedKey);
  } catch {
    // Storage is blocked, so this tab remembers it.
  }
};
