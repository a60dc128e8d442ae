-- In a file of its own, because it locks another table than the cases of moderators.
CREATE INDEX deals_uncontested_no_shows ON deals (changed_at)
  WHERE state = 'no_show' AND reported IS NOT NULL AND NOT is_contested;
