-- Searches that people saved. `query` contains the search text and the filters, with the names of
-- the query parameters that list listings.
CREATE TABLE saved_searches (
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id    uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  name       text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
  query      jsonb NOT NULL,
  alert      text NOT NULL CHECK (alert IN ('instant', 'daily', 'off')),
  created_at timestamptz NOT NULL
);
CREATE INDEX saved_searches_of_user ON saved_searches (user_id, created_at DESC, id DESC);
