-- The indexes of the order by price, for the most expensive listings first: newer ones still come first among those of the
-- same price, so the indexes of the ascending order cannot be read backwards. With millions of listings, create them
-- beforehand (docs/migrations.md).
CREATE INDEX IF NOT EXISTS listings_by_price_desc ON listings (price DESC, created_at DESC, id DESC)
  WHERE status = 'published';
CREATE INDEX IF NOT EXISTS listings_of_category_by_price_desc ON listings (category, price DESC, created_at DESC, id DESC)
  WHERE status = 'published';
