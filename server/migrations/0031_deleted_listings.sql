-- A deleted listing can be restored for a few seconds. Until its row is removed, it is a draft that
-- even its owner cannot see. The check is validated in 0032, because validating it here would hold
-- this lock while the table is read.
ALTER TABLE listings
  ADD COLUMN deleted_at timestamptz,
  ADD COLUMN status_before_deletion text,
  ADD CONSTRAINT listings_status_before_deletion_known CHECK (
    (deleted_at IS NULL) = (status_before_deletion IS NULL) AND status_before_deletion IN ('published', 'draft')) NOT VALID;
