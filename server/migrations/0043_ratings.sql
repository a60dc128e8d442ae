-- The average and the number of the public reviews of a person, copied so that lists of listings
-- need not read reviews.
ALTER TABLE users
  ADD COLUMN rating numeric(3, 2),
  ADD COLUMN review_count int NOT NULL DEFAULT 0;
