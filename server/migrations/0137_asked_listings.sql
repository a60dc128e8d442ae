-- `confirmed_at` is when the owner of a listing last said that it is available, or changed it while it was published.
-- `asked_at` is when the owner was asked whether it is still available; null once the question was answered or withdrawn.
ALTER TABLE listings
  ADD COLUMN IF NOT EXISTS confirmed_at timestamptz,
  ADD COLUMN IF NOT EXISTS asked_at timestamptz;
