-- When a suspension ends; null while the account is active, and for a suspension that only an administrator lifts.
ALTER TABLE private.credentials ADD COLUMN suspended_until timestamptz;
CREATE INDEX credentials_by_suspension_end ON private.credentials (suspended_until) WHERE suspended_until IS NOT NULL;
