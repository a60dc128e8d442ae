import { useCallback, useSyncExternalStore } from 'react';
import { createListeners } from '#web/lib/listeners.ts';
import { declareStoredValue } from '#web/lib/stored-values.ts';
import type { WarningKind } from './warning-rules.ts';

/** The kinds of warnings that a person dismissed in each conversation, separated by spaces. */
const dismissedWarnings = declareStoredValue({
  name: 'warnings',
  scope: 'device',
  parse: (stored) => (typeof stored === 'string' ? stored : undefined),
});

const { subscribe, notify } = createListeners('storage');

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
      notify();
    },
    [ownId, conversationId],
  );
  return { dismissed, dismiss };
};
