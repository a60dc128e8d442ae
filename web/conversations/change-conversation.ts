import { calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import type { ConversationChange } from '#contract/inbox.ts';
import { request } from '#web/lib/api.ts';
import { toast } from '#web/ui/toast.ts';
import { applyChangedConversation } from './conversation-cache.ts';

const undoDurationMs = 8000;

/** Archives, mutes or marks a conversation. Returns it, or undefined after a failure, which a toast reports. */
export const changeConversation = async (
  ownId: string,
  id: string,
  change: ConversationChange,
): Promise<Conversation | undefined> => {
  try {
    const changed = await request(calls.changeConversation, { params: { id }, body: change });
    applyChangedConversation(ownId, changed);
    return changed;
  } catch (error) {
    toast.error('Failed to change conversation', (error as Error).message);
    return undefined;
  }
};

/** Archives a conversation and offers to undo it. Returns whether it left the inbox. */
export const archiveConversation = async (ownId: string, id: string): Promise<boolean> => {
  const changed = await changeConversation(ownId, id, { archived: true });
  if (!changed) return false;
  if (!changed.archived) {
    toast.message('It stays here for now', 'A deal in this conversation is waiting for you.');
    return false;
  }
  toast.success('Conversation archived', undefined, {
    label: 'Undo',
    onSelect: () => void changeConversation(ownId, id, { archived: false }),
    durationMs: undoDurationMs,
    group: 'archive',
  });
  return true;
};
