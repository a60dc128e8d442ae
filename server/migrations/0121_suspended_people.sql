-- Suspended people, whose photos are not served.
CREATE INDEX IF NOT EXISTS credentials_suspended ON private.credentials (user_id) WHERE suspended_at IS NOT NULL;
