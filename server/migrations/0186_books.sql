-- The catalog that the operator imported: title, authors, edition and year by ISBN (13 digits).
CREATE TABLE books (
  isbn text PRIMARY KEY,
  title text NOT NULL,
  authors text,
  edition text,
  published_year smallint
);

-- Imports of catalogs that have not ended, each with the position in its file up to which it is stored.
CREATE TABLE private.book_imports (
  -- Hash of what identifies the file and its contents.
  file_hash text PRIMARY KEY,
  position bigint NOT NULL,
  -- The counts, and the first broken lines with their reasons.
  progress jsonb NOT NULL
);
