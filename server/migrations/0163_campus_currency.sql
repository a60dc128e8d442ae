ALTER TABLE saved_listings ALTER COLUMN price TYPE numeric;

-- The currency in which the prices of this database are; a start with another one is refused.
CREATE TABLE private.campus_currency (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$')
);
