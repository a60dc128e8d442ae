-- How a listing is sold, rented or given away, and the data of its deals that lists show. The
-- checks are validated in the next file.
ALTER TABLE listings
  ADD COLUMN hold_hours int NOT NULL DEFAULT 48,
  ADD COLUMN is_price_firm boolean NOT NULL DEFAULT false,
  -- The period of a rental's price.
  ADD COLUMN rental_period text NOT NULL DEFAULT 'flexible',
  -- How the recipient of a free item is chosen; a draw closes this many hours after the listing was
  -- published.
  ADD COLUMN gift_mode text NOT NULL DEFAULT 'first_come',
  ADD COLUMN draw_hours int NOT NULL DEFAULT 24,
  ADD COLUMN draw_closes_at timestamptz,
  ADD COLUMN drawn_at timestamptz,
  -- Copied from the listing's deals, so that lists need not read the deals.
  ADD COLUMN is_on_hold boolean NOT NULL DEFAULT false,
  -- When it was sold, given away or rented permanently. A rental that will be returned has
  -- `rented_until` instead and stays published.
  ADD COLUMN sold_at timestamptz,
  ADD COLUMN rented_until date,
  -- The person who got the listing according to the seller, and when that person confirmed it.
  ADD COLUMN sold_to uuid,
  ADD COLUMN sale_confirmed_at timestamptz,
  DROP CONSTRAINT listings_status_known,
  ADD CONSTRAINT listings_status_known CHECK (status IN ('published', 'draft', 'sold', 'in_review')) NOT VALID,
  DROP CONSTRAINT listings_status_before_deletion_known,
  ADD CONSTRAINT listings_status_before_deletion_known CHECK ((deleted_at IS NULL) = (status_before_deletion IS NULL)
    AND status_before_deletion IN ('published', 'draft', 'sold', 'in_review')) NOT VALID,
  ADD CONSTRAINT listings_hold_hours_known CHECK (hold_hours IN (24, 48)) NOT VALID,
  ADD CONSTRAINT listings_rental_period_known CHECK (rental_period IN ('day', 'week', 'month', 'flexible')) NOT VALID,
  ADD CONSTRAINT listings_gift_mode_known CHECK (gift_mode IN ('first_come', 'draw')) NOT VALID,
  ADD CONSTRAINT listings_draw_hours_bound CHECK (draw_hours BETWEEN 1 AND 48) NOT VALID,
  ADD CONSTRAINT listings_draw_closes CHECK (status <> 'published' OR gift_mode <> 'draw' OR draw_closes_at IS NOT NULL) NOT VALID,
  ADD CONSTRAINT listings_sold_at_known CHECK (status <> 'sold' OR sold_at IS NOT NULL) NOT VALID,
  ADD CONSTRAINT listings_sale_known CHECK (
    (sold_at IS NOT NULL OR (rented_until IS NULL AND sold_to IS NULL))
    AND (sale_confirmed_at IS NULL OR sold_at IS NOT NULL)) NOT VALID,
  ADD CONSTRAINT listings_sold_to_fkey FOREIGN KEY (sold_to) REFERENCES users ON DELETE SET NULL NOT VALID;
