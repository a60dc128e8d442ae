-- Conversations outlive the listing they are about and the account of either party.

CREATE TABLE conversations (
  id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  listing_id      uuid REFERENCES listings ON DELETE SET NULL,
  listing_title   text NOT NULL,
  buyer_id        uuid REFERENCES users ON DELETE SET NULL,
  seller_id       uuid REFERENCES users ON DELETE SET NULL,
  last_seq        bigint NOT NULL DEFAULT 0,
  buyer_read_seq  bigint NOT NULL DEFAULT 0,
  seller_read_seq bigint NOT NULL DEFAULT 0,
  -- When the email to the seller about the first message was queued, which happens once.
  seller_told_at  timestamptz,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  CONSTRAINT conversations_unique UNIQUE (listing_id, buyer_id, seller_id),
  CONSTRAINT conversations_two_people CHECK (buyer_id <> seller_id)
);
CREATE INDEX conversations_of_buyer ON conversations (buyer_id, updated_at DESC);
CREATE INDEX conversations_of_seller ON conversations (seller_id, updated_at DESC);

-- A conversation keeps the last published title of a listing that was deleted or unpublished. The
-- title of a draft is never copied.
CREATE FUNCTION private.keep_listing_title() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE conversations SET listing_title = OLD.title WHERE listing_id = OLD.id;
  RETURN coalesce(NEW, OLD);
END $$;
CREATE TRIGGER listings_keep_title_of_deleted BEFORE DELETE ON listings
  FOR EACH ROW WHEN (OLD.status = 'published') EXECUTE FUNCTION private.keep_listing_title();
CREATE TRIGGER listings_keep_title_of_withdrawn BEFORE UPDATE OF status ON listings
  FOR EACH ROW WHEN (OLD.status = 'published' AND NEW.status = 'draft') EXECUTE FUNCTION private.keep_listing_title();

-- seq is consecutive within a conversation, because it is allocated under the conversation's row lock.
CREATE TABLE messages (
  conversation_id uuid NOT NULL REFERENCES conversations ON DELETE CASCADE,
  seq             bigint NOT NULL,
  id              uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  sender_id       uuid REFERENCES users ON DELETE SET NULL,
  client_id       uuid NOT NULL,
  message_text    text NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (conversation_id, seq),
  CONSTRAINT messages_once UNIQUE (conversation_id, sender_id, client_id),
  CONSTRAINT messages_length CHECK (char_length(message_text) BETWEEN 1 AND 2000)
);
CREATE INDEX messages_of_sender ON messages (sender_id);
