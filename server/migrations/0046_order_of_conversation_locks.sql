-- Storing a batch of messages locks their conversations in the order of their ids, so this trigger
-- must use the same order.
CREATE OR REPLACE FUNCTION private.keep_listing_title() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM conversations WHERE listing_id = OLD.id ORDER BY id FOR NO KEY UPDATE;
  UPDATE conversations SET listing_title = OLD.title WHERE listing_id = OLD.id;
  RETURN coalesce(NEW, OLD);
END $$;
