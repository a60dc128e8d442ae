-- A game that has passed and a listing that its seller has not confirmed are drafts with one of these times, so that no
-- index of published listings contains them (docs/decisions/0086).
ALTER TABLE listings
  ADD COLUMN IF NOT EXISTS ended_at timestamptz,
  ADD COLUMN IF NOT EXISTS paused_at timestamptz,
  -- The first day on which the seller is back, copied from the account, because lists are read without it.
  ADD COLUMN IF NOT EXISTS away_until date;
