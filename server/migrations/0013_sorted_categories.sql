-- Indexes for categories sorted by condition or by location, like the one for categories sorted by
-- price (server/features/listings/sorts.ts).

CREATE INDEX IF NOT EXISTS listings_of_category_by_condition ON listings (
  category,
  (CASE condition WHEN 'new' THEN 1 WHEN 'like-new' THEN 2 WHEN 'good' THEN 3 ELSE 4 END),
  created_at DESC, id DESC
) WHERE status = 'published';
CREATE INDEX IF NOT EXISTS listings_of_category_by_location ON listings (category, lower(location), created_at DESC, id DESC)
  WHERE status = 'published';
