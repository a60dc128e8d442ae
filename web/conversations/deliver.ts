import { calls } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';
import { ApiError, request } from '#web/lib/api.ts';

const pausesMs = [700, 2000];

/** A refusal will not change by itself; silence and a struggling server may. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a message; tried again under the same name when no answer comes, so it is stored once. */
export const deliver = async (
  conversation: Conversation,
  message: { client_id: string; message_text: string },
): Promise<Message> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await request(calls.sendMessage, { params: { id: conversation.id }, body: message });
    } catch (error) {
      const wait = pausesMs[tries];
      if (wait === undefined || !isPassing(error)) throw error;
      await pause(wait);
    }
  }
};

/** After the very first message: makes sure the seller hears of it. Failing here is nobody's business (§8). */
export const notifySeller = (conversation: Conversation, first: Message): void => {
  const body = {
    conversationId: conversation.id,
    listingId: conversation.listing_id,
    sellerId: conversation.seller_id,
    buyerId: conversation.buyer_id,
    firstMessage: first.message_text,
  };
  request(calls.notifySellerNewMessage, { body }).catch(() => undefined);
};
