import type { Conversation, Message } from '#contract/conversations.ts';
import type { MessageRow } from './message-repository.ts';
import type { ConversationRow } from './repository.ts';

export const presentMessage = (row: MessageRow): Message => ({
  id: row.id,
  conversation_id: row.conversation_id,
  seq: row.seq,
  sender_id: row.sender_id,
  client_id: row.client_id,
  message_text: row.message_text,
  created_at: row.created_at.toISOString(),
});

const presentListing = (row: ConversationRow): Conversation['listing'] => ({
  title: row.published_title ?? row.listing_title,
  available: row.published_slug !== null,
  slug: row.published_slug,
  price: row.published_price,
  photo: row.published_photo,
  cover: row.published_cover,
});

const presentOther = (row: ConversationRow): Conversation['other'] =>
  row.other_id === null || row.other_name === null
    ? null
    : {
        id: row.other_id,
        name: row.other_name,
        avatar_url: row.other_avatar_url,
        usc_verified: row.other_verified === true,
      };

const presentLastMessage = (row: ConversationRow): Message | null => {
  const { message_id, message_seq, message_client_id, message_text, message_created_at } = row;
  if (!message_id || !message_seq || !message_client_id || !message_text || !message_created_at) return null;
  return {
    id: message_id,
    conversation_id: row.id,
    seq: message_seq,
    sender_id: row.message_sender_id,
    client_id: message_client_id,
    message_text,
    created_at: message_created_at.toISOString(),
  };
};

/** Presents a conversation to one of its parties. */
export const presentConversation = (row: ConversationRow): Conversation => ({
  id: row.id,
  listing_id: row.listing_id,
  buyer_id: row.buyer_id,
  seller_id: row.seller_id,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  listing: presentListing(row),
  other: presentOther(row),
  last_message: presentLastMessage(row),
  unread_count: row.unread_count,
});
