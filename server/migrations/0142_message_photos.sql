-- The photos of a message, in the order in which its sender chose them: ids of objects in the bucket message-photos.
ALTER TABLE messages ADD COLUMN photos uuid[];
