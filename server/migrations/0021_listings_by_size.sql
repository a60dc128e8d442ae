-- Filters by size (rulings, "Filters and cards"). No column contains a size, so the filter matches
-- words of the title and description. Each of these indexes contains the listings of one size, in
-- the default order of lists. Building one takes about 10 microseconds per listing; for large
-- tables, run the statements of this file by hand beforehand, with CREATE INDEX CONCURRENTLY.

-- The high cost prevents plans that compute this function for every row when an index can be used.
CREATE OR REPLACE FUNCTION private.has_size(title text, description text, size text) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE STRICT COST 100000 AS $$
DECLARE
  words text := title || ' ' || description;
  -- A lone letter counts as a size in capitals, so that "women's" is not small.
  sizes text := CASE size
    WHEN 'small' THEN 'S|[Ss]mall|SMALL'
    WHEN 'medium' THEN 'M|[Mm]edium|MEDIUM'
    WHEN 'large' THEN 'L|[Ll]arge|LARGE'
    WHEN 'xl' THEN '([Xx]|[Ee]xtra|EXTRA)[ -]?(L|[Ll]arge|LARGE)|[Xx]l'
  END;
BEGIN
  -- "Extra" before a size makes it another one. Looking behind is slow, so it is left for texts that name the size at all.
  RETURN words ~ ('(^|[^[:alnum:]''’])(' || sizes || ')($|[^[:alnum:]])')
    AND (size = 'xl'
      OR words ~ ('(^|[^[:alnum:]''’])(?<!([Xx]|[Ee]xtra|EXTRA)[ -])(' || sizes || ')($|[^[:alnum:]])'));
END $$;

CREATE INDEX IF NOT EXISTS listings_of_size_small ON listings (created_at DESC, id DESC, category, status)
  WHERE private.has_size(title, description, 'small');
CREATE INDEX IF NOT EXISTS listings_of_size_medium ON listings (created_at DESC, id DESC, category, status)
  WHERE private.has_size(title, description, 'medium');
CREATE INDEX IF NOT EXISTS listings_of_size_large ON listings (created_at DESC, id DESC, category, status)
  WHERE private.has_size(title, description, 'large');
CREATE INDEX IF NOT EXISTS listings_of_size_xl ON listings (created_at DESC, id DESC, category, status)
  WHERE private.has_size(title, description, 'xl');
