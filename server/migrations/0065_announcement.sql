-- The announcement on top of all pages; there is at most one.
CREATE TABLE private.announcement (
  is_only   boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  text      text NOT NULL CHECK (char_length(text) BETWEEN 1 AND 300),
  begins_at timestamptz NOT NULL,
  ends_at   timestamptz NOT NULL,
  CHECK (begins_at < ends_at)
);
