-- An index for the job that draws the order of the claims for free items.
CREATE INDEX IF NOT EXISTS listings_undrawn ON listings (draw_closes_at) WHERE gift_mode = 'draw' AND drawn_at IS NULL;
