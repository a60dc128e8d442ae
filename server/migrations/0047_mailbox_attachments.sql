-- Attachments of an email in the development mailbox: objects with filename and text, which is null
-- for files that are not text.
ALTER TABLE private.mailbox ADD COLUMN attachments jsonb NOT NULL DEFAULT '[]';
