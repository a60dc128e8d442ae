-- What mail about unread messages stands on, for each side of a conversation. It lies in the conversation's own row,
-- which sending and reading lock anyway, so a message and its waiting are one fact.
ALTER TABLE conversations
  -- When this side last wrote or read here.
  ADD COLUMN buyer_seen_at timestamptz,
  ADD COLUMN seller_seen_at timestamptz,
  -- Since when, and from which seq on, messages wait for this side unread and without an email; null while none do.
  ADD COLUMN buyer_waiting_since timestamptz,
  ADD COLUMN seller_waiting_since timestamptz,
  ADD COLUMN buyer_waiting_from bigint,
  ADD COLUMN seller_waiting_from bigint;

-- Only what waits is in them: looking for who is to be told reads nothing else.
CREATE INDEX conversations_waiting_for_buyer ON conversations (buyer_waiting_since)
  WHERE buyer_waiting_since IS NOT NULL AND buyer_id IS NOT NULL;
CREATE INDEX conversations_waiting_for_seller ON conversations (seller_waiting_since)
  WHERE seller_waiting_since IS NOT NULL AND seller_id IS NOT NULL;
