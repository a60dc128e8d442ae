-- The message that uses a photo. It has no foreign key: a photo whose message is gone counts as unused, like one that was
-- never sent, and its files must be deleted, too.
ALTER TABLE private.objects
  ADD COLUMN message_id uuid,
  DROP CONSTRAINT objects_bucket_check,
  ADD CONSTRAINT objects_bucket_check CHECK (bucket IN ('listing-photos', 'avatars', 'message-photos')) NOT VALID;
