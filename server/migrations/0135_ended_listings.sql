-- A game that has passed and a listing that its seller has not confirmed are drafts with one of these times, so that no
-- index of published listings contains them (docs/decisions/0086).
ALTER TABLE listings
  ADD COLUMN ended_at timestamptz,
  ADD COLUMN paused_at timestamptz,
  -- The first day on which the seller is back, copied from the account, because lists are read without it.
  ADD COLUMN away_until date;

-- For a table much larger than 100,000 rows, run this statement with CREATE INDEX CONCURRENTLY
-- beforehand (docs/migrations.md).
CREATE INDEX IF NOT EXISTS listings_of_away_sellers ON listings (away_until, id)
  WHERE status = 'published' AND away_until IS NOT NULL;
