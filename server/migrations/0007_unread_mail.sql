-- The state of emails about unread messages, for each party of a conversation. It is in the
-- conversation's own row, which sending and reading lock anyway, so a message and the state of its
-- email change together.
ALTER TABLE conversations
  -- When this party last wrote or read in the conversation.
  ADD COLUMN buyer_seen_at timestamptz,
  ADD COLUMN seller_seen_at timestamptz,
  -- The time and the seq from which messages to this party are unread and not emailed about; null
  -- when there are none.
  ADD COLUMN buyer_waiting_since timestamptz,
  ADD COLUMN seller_waiting_since timestamptz,
  ADD COLUMN buyer_waiting_from bigint,
  ADD COLUMN seller_waiting_from bigint;

-- These indexes contain only waiting conversations, so looking for people to notify reads nothing else.
CREATE INDEX conversations_waiting_for_buyer ON conversations (buyer_waiting_since)
  WHERE buyer_waiting_since IS NOT NULL AND buyer_id IS NOT NULL;
CREATE INDEX conversations_waiting_for_seller ON conversations (seller_waiting_since)
  WHERE seller_waiting_since IS NOT NULL AND seller_id IS NOT NULL;
