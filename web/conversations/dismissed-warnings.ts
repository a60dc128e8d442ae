import { useCallback, useSyncExternalStore } from 'react';
import { declareStoredValue } from '#web/lib/stored-values.ts';
import type { WarningKind } from './warning-rules.ts';

/** The kinds of warnings that a person dismissed in each conversation, separated by spaces. */
const dismissedWarnings = declareStoredValue({
  name: 'warnings',
  scope: 'device',
  parse: (stored) => (typeof stored === 'string' ? stored : undefined),
});

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

/**
 * Returns the kinds of warnings that the person dismissed in a conversation, and a function that dismisses further ones.
 * They are remembered on this device, for each conversation.
 */
export const useDismissedWarnings = (ownId: string, conversationId: string) => {
  const dismissed = useSyncExternalStore(
    subscribe,
    () => dismissedWarnings.find(ownId, conversationId) ?? '',
    () => '',
  );
  const dismiss = useCallback(
    (kinds: readonly WarningKind[]) => {
      const before = dismissedWarnings.find(ownId, conversationId)?.split(' ') ?? [];
      dismissedWarnings.save(ownId, [...new Set([...before, ...kinds])].join(' '), conversationId);
      for (const listener of listeners) listener();
    },
    [ownId, conversationId],
  );
  return { dismissed, dismiss };
};
