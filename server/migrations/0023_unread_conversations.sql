-- Indexes for counting unread messages. They contain only conversations with unread messages, for each party.

CREATE INDEX IF NOT EXISTS conversations_unread_by_buyer ON conversations (buyer_id)
  INCLUDE (last_seq, buyer_read_seq) WHERE buyer_read_seq < last_seq;
CREATE INDEX IF NOT EXISTS conversations_unread_by_seller ON conversations (seller_id)
  INCLUDE (last_seq, seller_read_seq) WHERE seller_read_seq < last_seq;
