-- A sale without a deal that the buyer confirms becomes a completed deal, whose price and days are
-- unknown. The checks are validated in a later file.
ALTER TABLE deals
  ALTER COLUMN price DROP NOT NULL,
  DROP CONSTRAINT deals_days_of_rentals,
  ADD CONSTRAINT deals_days_of_rentals CHECK (
    (kind = 'rental' AND price IS NOT NULL) = (first_day IS NOT NULL)
    AND (first_day IS NULL) = (last_day IS NULL) AND first_day <= last_day) NOT VALID,
  ADD CONSTRAINT deals_price_of_open_deals CHECK (price IS NOT NULL OR state = 'completed') NOT VALID;
