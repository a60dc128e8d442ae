-- An index for the job that removes deleted listings. In a file of its own, because listings can be
-- read while these statements run.
ALTER TABLE listings VALIDATE CONSTRAINT listings_status_before_deletion_known;
CREATE INDEX IF NOT EXISTS listings_deleted ON listings (deleted_at) WHERE deleted_at IS NOT NULL;
