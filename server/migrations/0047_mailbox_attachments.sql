-- What was attached to an email in the development mailbox: objects with filename and text, which is null for other files.
ALTER TABLE private.mailbox ADD COLUMN attachments jsonb NOT NULL DEFAULT '[]';
