-- Matches that the previous version has emailed, so that the next email does not count them again. Nothing else of the
-- row changes, and its count grows only together with a new email.
UPDATE notifications SET emailed_count = count
WHERE kind = 'saved_searches' AND read_at IS NULL AND email_due_at IS NULL;
