-- Up to which message the texts of a conversation are folded for searches, so that the hourly job finds the others at once.
-- Those from before are looked at once more.
ALTER TABLE conversations ADD COLUMN IF NOT EXISTS folded_seq bigint NOT NULL DEFAULT 0;

-- As in 0153, and the job writes the deleted blocks again.
CREATE OR REPLACE FUNCTION private.forget_message_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE conversations SET folded_seq = least(folded_seq, NEW.seq - 1) WHERE id = NEW.conversation_id;
  DELETE FROM message_texts WHERE conversation_id = NEW.conversation_id AND block >= (NEW.seq - 1) / 20;
  RETURN NULL;
END $$;
