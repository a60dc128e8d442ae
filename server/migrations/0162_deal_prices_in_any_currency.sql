ALTER TABLE deals
  DROP CONSTRAINT deals_price_check,
  ALTER COLUMN price TYPE numeric,
  ADD CONSTRAINT deals_price_check CHECK (price BETWEEN 0 AND 10000000000);
