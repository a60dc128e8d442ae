import { useSyncExternalStore } from 'react';
import {
  findPushEndpoint,
  hasDeclinedPushNotifications,
  setPushNotificationsDeclined,
} from './push-state.ts';
import { getPushSupport, type PushSupport } from './push-support.ts';

const offeredSupport: readonly PushSupport[] = ['available', 'home_screen'];

const listeners = new Set<() => void>();
/** Id of the account to which push notifications are currently offered. */
let offeredTo: string | undefined;

const setOfferedTo = (next: string | undefined): void => {
  offeredTo = next;
  for (const listener of listeners) listener();
};

/**
 * Returns whether push notifications can be offered on this device: they are off, nobody has declined them
 * here, and the browser can get them, if necessary after the site was added to the Home Screen.
 */
export const canOfferPushNotifications = (ownId: string): boolean =>
  offeredSupport.includes(getPushSupport()) &&
  !hasDeclinedPushNotifications() &&
  findPushEndpoint(ownId) === undefined;

/**
 * Offers push notifications if they can be offered on this device. Called after the person has done something
 * that may get a reply, such as sending a message.
 */
export const offerPushNotifications = (ownId: string): void => {
  if (canOfferPushNotifications(ownId)) setOfferedTo(ownId);
};

/** Closes the offer of push notifications. If `isDeclined`, they are not offered on this device again. */
export const endPushOffer = ({ isDeclined }: { isDeclined: boolean }): void => {
  if (isDeclined) setPushNotificationsDeclined(true);
  setOfferedTo(undefined);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns whether push notifications are being offered to this account. */
export const useIsPushOffered = (ownId: string | undefined): boolean =>
  useSyncExternalStore(
    subscribe,
    () => offeredTo !== undefined && offeredTo === ownId,
    () => false,
  );
