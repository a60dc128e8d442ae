-- People who do not want to be contacted by somebody. A block works in both directions.
CREATE TABLE blocks (
  -- The person who blocked.
  user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  blocked_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, blocked_id),
  CHECK (user_id <> blocked_id)
);
CREATE INDEX blocks_by_time ON blocks (user_id, created_at DESC, blocked_id DESC);
-- For the deletion of an account.
CREATE INDEX blocks_by_blocked ON blocks (blocked_id);
