import type { Message } from '#contract/conversations.ts';
import type { MessageRow } from './message-repository.ts';

export const presentMessage = (row: MessageRow): Message => ({
  id: row.id,
  conversation_id: row.conversation_id,
  seq: row.seq,
  sender_id: row.sender_id,
  client_id: row.client_id,
  message_text: row.message_text,
  created_at: row.created_at.toISOString(),
});
