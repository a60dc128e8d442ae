-- Currencies without decimals need higher prices than dollars, and others have three decimals. Without a precision the
-- table is not rewritten.
ALTER TABLE listings
  DROP CONSTRAINT listings_price_bound,
  ALTER COLUMN price TYPE numeric,
  ADD CONSTRAINT listings_price_bound CHECK (price BETWEEN 0 AND 10000000000);
