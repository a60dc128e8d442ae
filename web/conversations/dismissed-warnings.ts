import { useCallback, useSyncExternalStore } from 'react';
import { findValueOnDevice, saveValueOnDevice } from '#web/lib/device-storage.ts';
import type { WarningKind } from './warning-rules.ts';

const toStoredName = (conversationId: string): string => `warnings.${conversationId}`;

const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  // A `storage` event means that another tab has changed stored data.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
};

/** Returns the kinds of warnings that a person dismissed in a conversation, separated by spaces. */
const readDismissed = (ownId: string, conversationId: string): string => {
  const value = findValueOnDevice(ownId, toStoredName(conversationId))?.value;
  return typeof value === 'string' ? value : '';
};

/**
 * Returns the kinds of warnings that the person dismissed in a conversation, and a function that dismisses further ones.
 * They are remembered on this device, for each conversation.
 */
export const useDismissedWarnings = (ownId: string, conversationId: string) => {
  const dismissed = useSyncExternalStore(
    subscribe,
    () => readDismissed(ownId, conversationId),
    () => '',
  );
  const dismiss = useCallback(
    (kinds: readonly WarningKind[]) => {
      const all = new Set([...readDismissed(ownId, conversationId).split(' ').filter(Boolean), ...kinds]);
      saveValueOnDevice(ownId, toStoredName(conversationId), [...all].join(' '));
      for (const listener of listeners) listener();
    },
    [ownId, conversationId],
  );
  return { dismissed, dismiss };
};
