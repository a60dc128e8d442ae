-- The user of a command who answered; null for an administrator in the console, who is `author_id`.
ALTER TABLE private.form_answers ADD COLUMN author_name text;
