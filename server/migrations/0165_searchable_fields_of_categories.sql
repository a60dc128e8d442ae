-- Searches also read the fields of categories.
ALTER TABLE listings VALIDATE CONSTRAINT listings_book_and_size_bound;

CREATE OR REPLACE FUNCTION private.fold_listing() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- Like the generated column `search_text`, which a trigger before the change cannot read yet.
  search_text text := lower(concat(NEW.title, E'\n', NEW.description, E'\n', NEW.location, E'\n', NEW.category, E'\n',
    CASE NEW.category WHEN 'game-day' THEN 'Game Day' WHEN 'merchandise' THEN 'Merch' WHEN 'study-items' THEN 'Study Items' END));
  fields text := nullif(concat_ws(E'\n', NEW.isbn, NEW.authors, NEW.edition, NEW.course), '');
BEGIN
  NEW.folded_text := nullif(private.fold(concat_ws(E'\n', search_text, fields)), search_text);
  RETURN NEW;
END $$;

-- A trigger of its own for the new columns: replacing the other one would lock out readers.
CREATE TRIGGER fold_listing_fields BEFORE UPDATE OF isbn, authors, edition, course ON listings
  FOR EACH ROW EXECUTE FUNCTION private.fold_listing();
ALTER TABLE listings ENABLE ALWAYS TRIGGER fold_listing_fields;

-- Few listings have these fields, so the indexes are small.
CREATE INDEX IF NOT EXISTS listings_of_isbn ON listings (isbn, created_at DESC, id DESC)
  WHERE status = 'published' AND isbn IS NOT NULL;
CREATE INDEX IF NOT EXISTS listings_of_course ON listings (course, created_at DESC, id DESC)
  WHERE status = 'published' AND course IS NOT NULL;
