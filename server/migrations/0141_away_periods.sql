-- When people were away: first messages that they received then do not count for how soon they usually reply.
CREATE TABLE away_periods (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  began_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, began_at)
);
