-- The indexes of the columns of migrations 135 and 137, in a file of their own: in those files they would be built under
-- the lock of ALTER TABLE, which keeps readers out, too. For a table much larger than 100,000 rows, run the statements of
-- both files beforehand, and these with CREATE INDEX CONCURRENTLY (docs/migrations.md).
CREATE INDEX IF NOT EXISTS listings_of_away_sellers ON listings (away_until, id)
  WHERE status = 'published' AND away_until IS NOT NULL;
-- Finds published listings by when they were last tended, as far as their rows tell.
CREATE INDEX IF NOT EXISTS listings_by_tending ON listings (greatest(updated_at, confirmed_at))
  WHERE status = 'published';
CREATE INDEX IF NOT EXISTS listings_asked ON listings (asked_at) WHERE asked_at IS NOT NULL AND status = 'published';
