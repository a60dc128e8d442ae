-- `confirmed_at` is when the owner of a listing last said that it is available, or changed it while it was published.
-- `asked_at` is when the owner was asked whether it is still available; null once the question was answered or withdrawn.
-- The first index finds published listings by when they were last tended, as far as their rows tell.
ALTER TABLE listings
  ADD COLUMN confirmed_at timestamptz,
  ADD COLUMN asked_at timestamptz;
CREATE INDEX IF NOT EXISTS listings_by_tending ON listings (greatest(updated_at, confirmed_at)) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS listings_asked ON listings (asked_at) WHERE asked_at IS NOT NULL AND status = 'published';
