-- When a saved search was deleted. Its owner can undo that for some seconds, then the row is removed.
ALTER TABLE saved_searches ADD COLUMN deleted_at timestamptz;
CREATE INDEX saved_searches_deleted ON saved_searches (deleted_at) WHERE deleted_at IS NOT NULL;
