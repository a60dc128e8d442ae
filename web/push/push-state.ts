import { findValueOnDevice, removeValueFromDevice, saveValueOnDevice } from '#web/lib/device-storage.ts';

const endpointName = 'push-endpoint';

/**
 * Returns the push endpoint of this browser (its URL at the push service) that was last reported to the
 * server for this account, or undefined if there is none.
 */
export const findPushEndpoint = (ownId: string): string | undefined => {
  const saved = findValueOnDevice(ownId, endpointName)?.value;
  return typeof saved === 'string' ? saved : undefined;
};

export const savePushEndpoint = (ownId: string, endpoint: string): void => {
  saveValueOnDevice(ownId, endpointName, endpoint);
};

export const removePushEndpoint = (ownId: string): void => removeValueFromDevice(ownId, endpointName);

/**
 * The local storage key that remembers that push notifications must not be offered on this device again. It
 * is stored per device and not per account, so it survives a log-out.
 */
const declinedKey = 'quad.push-declined';
let hasDeclinedInTab = false;

/** Returns whether somebody has declined push notifications on this device when they were offered. */
export const hasDeclinedPushNotifications = (): boolean => {
  try {
    return hasDeclinedInTab || localStorage.getItem(declinedKey) !== null;
  } catch {
    return hasDeclinedInTab;
  }
};

/** Stores whether the prompt for push notifications was declined on this device, so that it is not repeated. */
export const setPushNotificationsDeclined = (isDeclined: boolean): void => {
  hasDeclinedInTab = isDeclined;
  try {
    if (isDeclined) localStorage.setItem(declinedKey, 'yes');
    else localStorage.removeItem(declinedKey);
  } catch {
    // If storage is blocked, the choice is kept in this tab only.
  }
};
