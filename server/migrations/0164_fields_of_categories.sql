-- Fields that listings of some categories have (contract/category-fields.ts). The next file validates the constraint.
ALTER TABLE listings
  ADD COLUMN IF NOT EXISTS isbn text,
  ADD COLUMN IF NOT EXISTS authors text,
  ADD COLUMN IF NOT EXISTS edition text,
  ADD COLUMN IF NOT EXISTS published_year integer,
  ADD COLUMN IF NOT EXISTS course text,
  ADD COLUMN IF NOT EXISTS size text,
  ADD CONSTRAINT listings_book_and_size_bound CHECK (
    isbn ~ '^\d{13}$' AND char_length(authors) <= 200 AND char_length(edition) <= 40 AND char_length(course) <= 20
    AND char_length(size) <= 20
  ) NOT VALID;
