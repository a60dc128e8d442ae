-- In a file of its own, because listings can be read and written while these statements run.
ALTER TABLE listings VALIDATE CONSTRAINT listings_status_known;
ALTER TABLE listings VALIDATE CONSTRAINT listings_status_before_deletion_known;
ALTER TABLE listings VALIDATE CONSTRAINT listings_hold_hours_known;
ALTER TABLE listings VALIDATE CONSTRAINT listings_rental_period_known;
ALTER TABLE listings VALIDATE CONSTRAINT listings_gift_mode_known;
ALTER TABLE listings VALIDATE CONSTRAINT listings_draw_hours_bound;
ALTER TABLE listings VALIDATE CONSTRAINT listings_draw_closes;
ALTER TABLE listings VALIDATE CONSTRAINT listings_sold_at_known;
ALTER TABLE listings VALIDATE CONSTRAINT listings_sale_known;
ALTER TABLE listings VALIDATE CONSTRAINT listings_sold_to_fkey;
CREATE INDEX IF NOT EXISTS listings_sold_to ON listings (sold_to) WHERE sold_to IS NOT NULL;
