import type { Conversation, Message } from '#contract/conversations.ts';
import { getRecorded } from './recorded.ts';

const recorded = getRecorded('getConversation');

export const ownId = getRecorded('getMe').id;
const otherId = recorded.seller_id;
/** The name of the other party of all conversations of component tests. */
export const otherName = recorded.other?.name ?? '';

const toTestId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Creates a message of the other party, or an own one, with this number in its conversation. */
export const createMessage = (seq: number, text: string, changes: Partial<Message> = {}): Message => ({
  id: toTestId(seq),
  conversation_id: recorded.id,
  seq,
  sender_id: otherId,
  client_id: toTestId(seq),
  message_text: text,
  created_at: new Date().toISOString(),
  kind: 'text',
  data: null,
  ...changes,
});

/** Creates a conversation without unread messages, in which the signed-in account is the buyer. */
export const createConversation = (number: number, changes: Partial<Conversation> = {}): Conversation => ({
  ...recorded,
  id: toTestId(number),
  deal: null,
  last_message: createMessage(1, `About lamp ${number}`),
  unread_count: 0,
  ...changes,
  listing: { ...recorded.listing, title: `Lamp ${number}`, cover: null, ...changes.listing },
});
