-- Storing an event line does not mark earlier messages as read, so a party's own messages can lie after their read
-- position. These are the newest such messages; 0 means none. Unread counts leave out the own messages up to here.
ALTER TABLE conversations
  ADD COLUMN buyer_acted_seq bigint NOT NULL DEFAULT 0,
  ADD COLUMN seller_acted_seq bigint NOT NULL DEFAULT 0;
