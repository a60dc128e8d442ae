-- What the owner of an item for rent decides (contract/category-fields.ts). `handout_days` are digits, from 1 for Monday to 7.
ALTER TABLE listings
  ADD COLUMN day_price numeric,
  ADD COLUMN week_price numeric,
  ADD COLUMN month_price numeric,
  ADD COLUMN min_rental_days smallint,
  ADD COLUMN max_rental_days smallint,
  ADD COLUMN handout_days text CHECK (handout_days ~ '^[1-7]{1,7}$');
