-- Storing an event line does not mark earlier messages as read, so a party's own messages can come
-- after their read position. These columns are the seq of the newest such message of each party; 0
-- means none. Unread counts exclude a party's own messages up to this seq.
ALTER TABLE conversations
  ADD COLUMN buyer_acted_seq bigint NOT NULL DEFAULT 0,
  ADD COLUMN seller_acted_seq bigint NOT NULL DEFAULT 0;
