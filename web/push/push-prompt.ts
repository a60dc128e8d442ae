import { useSyncExternalStore } from 'react';
import { createListeners } from '#web/lib/listeners.ts';
import { readBrowserText, writeBrowserText } from '#web/lib/stored-values.ts';
import { pushEndpoint } from './push-endpoint.ts';
import { getPushSupport, type PushSupport } from './push-support.ts';

const promptedSupport: readonly PushSupport[] = ['available', 'home_screen'];

const { subscribe, notify } = createListeners();
/** Id of the account that is currently asked to turn on push notifications. */
let promptedAccountId: string | undefined;

const setPromptedAccountId = (next: string | undefined): void => {
  promptedAccountId = next;
  notify();
};

/**
 * Returns whether the prompt for push notifications can be shown on this device: they are off, nobody has declined them
 * here, and the browser can get them, if necessary after the site was added to the Home Screen.
 */
export const canShowPushPrompt = (ownId: string): boolean =>
  promptedSupport.includes(getPushSupport()) &&
  readBrowserText('quad.push-declined') === null &&
  pushEndpoint.find(ownId) === undefined;

/**
 * Shows the prompt for push notifications if it can be shown on this device. Called after the person has done something
 * that may get a reply, such as sending a message.
 */
export const showPushPrompt = (ownId: string): void => {
  if (canShowPushPrompt(ownId)) setPromptedAccountId(ownId);
};

/** Closes the prompt for push notifications. If `isDeclined`, it is not shown on this device again. */
export const closePushPrompt = ({ isDeclined }: { isDeclined: boolean }): void => {
  if (isDeclined) writeBrowserText('quad.push-declined', 'yes');
  setPromptedAccountId(undefined);
};

/** Returns whether the prompt for push notifications is open for this account. */
export const useIsPushPromptOpen = (ownId: string | undefined): boolean =>
  useSyncExternalStore(
    subscribe,
    () => promptedAccountId !== undefined && promptedAccountId === ownId,
    () => false,
  );
