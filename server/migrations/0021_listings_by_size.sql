-- Filters by size (rulings, "Filters and cards"): no column holds a size, so it is matched against the words of title and
-- description. Each of these indexes holds the listings of one size, in the order of most lists. Building one takes about 30
-- microseconds for each listing; where there are many, run the statements of this file by hand beforehand, with CREATE INDEX
-- CONCURRENTLY.

-- The cost keeps plans from computing this row by row where an index has the answer.
CREATE OR REPLACE FUNCTION private.has_size(title text, description text, size text) RETURNS boolean
  LANGUAGE plpgsql IMMUTABLE STRICT COST 100000 AS $$
BEGIN
  -- A lone letter counts as a size in capitals, so that "women's" is not small. "Extra" before a size makes it another.
  RETURN title || ' ' || description ~ CASE size
    WHEN 'small' THEN '(^|[^[:alnum:]''’])(?<!([Xx]|[Ee]xtra|EXTRA)[ -])(S|[Ss]mall|SMALL)($|[^[:alnum:]])'
    WHEN 'medium' THEN '(^|[^[:alnum:]''’])(?<!([Xx]|[Ee]xtra|EXTRA)[ -])(M|[Mm]edium|MEDIUM)($|[^[:alnum:]])'
    WHEN 'large' THEN '(^|[^[:alnum:]''’])(?<!([Xx]|[Ee]xtra|EXTRA)[ -])(L|[Ll]arge|LARGE)($|[^[:alnum:]])'
    WHEN 'xl' THEN '(^|[^[:alnum:]''’])(([Xx]|[Ee]xtra|EXTRA)[ -]?(L|[Ll]arge|LARGE)|[Xx]l)($|[^[:alnum:]])'
  END;
END $$;

CREATE INDEX IF NOT EXISTS listings_of_size_small ON listings (created_at DESC, id DESC, category, status)
  WHERE private.has_size(title, description, 'small');
CREATE INDEX IF NOT EXISTS listings_of_size_medium ON listings (created_at DESC, id DESC, category, status)
  WHERE private.has_size(title, description, 'medium');
CREATE INDEX IF NOT EXISTS listings_of_size_large ON listings (created_at DESC, id DESC, category, status)
  WHERE private.has_size(title, description, 'large');
CREATE INDEX IF NOT EXISTS listings_of_size_xl ON listings (created_at DESC, id DESC, category, status)
  WHERE private.has_size(title, description, 'xl');
