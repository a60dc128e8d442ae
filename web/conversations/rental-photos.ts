import { calls } from '#contract/calls.ts';
import { rentalPhotoMessageTexts } from '#contract/rental-photos.ts';
import { refreshDeals } from '#web/deals/public.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { toast } from '#web/ui/toast.ts';
import { updateCachedThread } from './conversation-cache.ts';
import { removeDeliveredMessagesFromDraft, type UnsentMessage, useDraft } from './drafts.ts';
import { useOutgoingQueue } from './outbox.ts';
import type { OutgoingMessage, OutgoingPhoto, RentalStep } from './outgoing-message.ts';
import { queueMessage } from './sending.ts';

const isOfStep = ({ rental }: UnsentMessage, { deal_id: id, step }: RentalStep): boolean =>
  rental?.deal_id === id && rental.step === step;

/** Queues photos of a rented item's condition, like every message with photos. */
export const sendRentalPhotos = (
  conversation: OutgoingMessage['conversation'],
  rental: RentalStep,
  photos: readonly OutgoingPhoto[],
): void => queueMessage(conversation, rentalPhotoMessageTexts[rental.step], [], photos, { rental });

/** Queues photos again that could not be sent and are in the draft of their conversation since. */
export const resendRentalPhotos = (
  conversation: OutgoingMessage['conversation'],
  message: UnsentMessage,
): void => {
  removeDeliveredMessagesFromDraft(conversation.id, [message]);
  queueMessage(conversation, message.message_text, [message], message.photos);
};

/** Returns the photos of a step that are not on the server: those being sent, and those that could not be sent. */
export const useUnsentRentalPhotos = (
  conversationId: string,
  step: RentalStep,
): { outgoing: UnsentMessage[]; failed: UnsentMessage[]; isWaiting: boolean } => {
  const { entries, waiting } = useOutgoingQueue(conversationId);
  const [{ unsent = [] }] = useDraft(conversationId);
  return {
    outgoing: entries.filter((entry) => isOfStep(entry, step)),
    failed: unsent.filter((message) => isOfStep(message, step)),
    isWaiting: waiting,
  };
};

/** Unsends an own message with photos of a rented item's condition. Shows a toast and rejects when that fails. */
export const removeRentalPhotos = async (ownId: string, dealId: string, messageId: string): Promise<void> => {
  try {
    const params = { id: dealId, message_id: messageId };
    const unsent = await request(calls.removeRentalPhotos, { params });
    updateCachedThread(ownId, unsent.conversation_id, { kind: 'unsent', messages: [unsent] });
    await refreshDeals(ownId);
  } catch (error) {
    toast.error('Failed to remove photos', error instanceof ApiError ? error.message : undefined);
    throw error;
  }
};
