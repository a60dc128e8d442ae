import { calls } from '#contract/calls.ts';
import { type Message, unsendSeconds } from '#contract/conversations.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { toast } from '#web/ui/toast.ts';
import { updateCachedThread } from './conversation-cache.ts';

/** Returns whether a message may be young enough to be unsent; the server decides. */
export const isUnsendable = ({ created_at, unsent_number }: Message): boolean =>
  unsent_number === undefined && Date.now() - Date.parse(created_at) < unsendSeconds * 1000;

/** Unsends an own message. Shows a toast and resolves to false when that fails. */
export const unsendMessage = async ({ id, conversation_id, sender_id: ownId }: Message): Promise<boolean> => {
  const params = { id: conversation_id, message_id: id };
  try {
    const unsent = await request(calls.unsendMessage, { params });
    if (ownId) updateCachedThread(ownId, conversation_id, { kind: 'unsent', messages: [unsent] });
    return true;
  } catch (error) {
    toast.error('Failed to unsend message', error instanceof ApiError ? error.message : undefined);
    return false;
  }
};
