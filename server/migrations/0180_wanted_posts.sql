-- What people look for (docs/decisions/0104). The words of the title, the category and the highest price are a stored query
-- of listings, like those of saved searches.
CREATE TABLE wanted_posts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  client_id uuid NOT NULL,
  title text NOT NULL CHECK (char_length(title) BETWEEN 3 AND 80),
  category text NOT NULL,
  -- Null means any price.
  max_price numeric(8,2) CHECK (max_price >= 0),
  words text[] NOT NULL CHECK (cardinality(words) > 0),
  -- For each word the ISBN that it is, or null.
  isbns text[] NOT NULL CHECK (cardinality(isbns) = cardinality(words)),
  text_key text NOT NULL,
  until date NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  closed_at timestamptz,
  hidden_at timestamptz,
  hidden_reason text CHECK (char_length(hidden_reason) BETWEEN 1 AND 500),
  UNIQUE (user_id, client_id)
);
CREATE INDEX wanted_posts_by_time ON wanted_posts (created_at DESC, id DESC) WHERE closed_at IS NULL AND hidden_at IS NULL;
CREATE INDEX wanted_posts_by_text ON wanted_posts (category, text_key) WHERE closed_at IS NULL AND hidden_at IS NULL;
CREATE INDEX wanted_posts_by_end ON wanted_posts (until);

-- Who has been told about a listing that they were looking for.
CREATE TABLE wanted_alerts (
  listing_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users(id) ON DELETE CASCADE,
  told_at timestamptz NOT NULL,
  PRIMARY KEY (listing_id, user_id)
);
CREATE INDEX wanted_alerts_of_user ON wanted_alerts (user_id);
