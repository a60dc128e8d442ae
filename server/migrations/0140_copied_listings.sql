-- The listing that a draft was copied from, possibly deleted since. Posting the same listing again opens the draft until it
-- is published.
ALTER TABLE listings ADD COLUMN copied_from uuid;
