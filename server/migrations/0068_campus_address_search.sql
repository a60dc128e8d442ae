-- In a file of its own, because it locks another table than the search for people.
CREATE INDEX IF NOT EXISTS campus_addresses_by_text ON private.campus_addresses
  USING gin (email gin_trgm_ops) WHERE verified_at IS NOT NULL;
