-- For finding listings that offer the same seat on the same day.
CREATE INDEX IF NOT EXISTS listings_seats ON listings (game_date)
  WHERE category = 'game-day' AND status = 'published' AND seats IS NOT NULL;
