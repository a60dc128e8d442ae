-- What each party has done with a conversation. It is archived until a message follows that has a higher seq; this way,
-- sending a message brings it back without a write. `marked_unread` lasts until the party opens the conversation.
ALTER TABLE conversations
  ADD COLUMN buyer_archived_seq bigint,
  ADD COLUMN seller_archived_seq bigint,
  ADD COLUMN buyer_muted_until timestamptz,
  ADD COLUMN seller_muted_until timestamptz,
  ADD COLUMN buyer_marked_unread boolean NOT NULL DEFAULT false,
  ADD COLUMN seller_marked_unread boolean NOT NULL DEFAULT false;

-- The texts of a conversation as searches compare them (`private.fold`), in blocks of 20 messages: messages 1 to 20 are
-- block 0. An hourly job writes them. The messages after the last `to_seq` are folded when they are searched.
CREATE TABLE message_texts (
  conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
  block integer NOT NULL,
  to_seq bigint NOT NULL,
  folded_text text NOT NULL,
  PRIMARY KEY (conversation_id, block)
);
