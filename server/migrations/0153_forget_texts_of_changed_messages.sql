-- A text that is changed or removed is gone from searches at once: the job writes the block again. The lock keeps the job
-- from storing the former text after this.
CREATE FUNCTION private.forget_message_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM conversations WHERE id = NEW.conversation_id FOR NO KEY UPDATE;
  DELETE FROM message_texts WHERE conversation_id = NEW.conversation_id AND block >= (NEW.seq - 1) / 20;
  RETURN NULL;
END $$;

CREATE TRIGGER forget_message_texts AFTER UPDATE OF message_text ON messages
  FOR EACH ROW WHEN (OLD.message_text IS DISTINCT FROM NEW.message_text) EXECUTE FUNCTION private.forget_message_texts();
