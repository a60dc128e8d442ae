-- The size of a listing is its field, or what its words name if the field is empty. These indexes replace those of 0026, which
-- the previous version still uses. They take as long to build: for large tables, run 0164 and this file by hand beforehand,
-- with CREATE INDEX CONCURRENTLY.
CREATE INDEX IF NOT EXISTS listings_in_size_small ON listings (
  created_at DESC, id DESC, category,
  private.has_kind(title, description, 'tickets'),
  private.has_kind(title, description, 'tailgate-gear'),
  private.has_kind(title, description, 'parking-passes')
) INCLUDE (status) WHERE coalesce(size = 'small', private.has_size(title, description, 'small'));
CREATE INDEX IF NOT EXISTS listings_in_size_medium ON listings (
  created_at DESC, id DESC, category,
  private.has_kind(title, description, 'tickets'),
  private.has_kind(title, description, 'tailgate-gear'),
  private.has_kind(title, description, 'parking-passes')
) INCLUDE (status) WHERE coalesce(size = 'medium', private.has_size(title, description, 'medium'));
CREATE INDEX IF NOT EXISTS listings_in_size_large ON listings (
  created_at DESC, id DESC, category,
  private.has_kind(title, description, 'tickets'),
  private.has_kind(title, description, 'tailgate-gear'),
  private.has_kind(title, description, 'parking-passes')
) INCLUDE (status) WHERE coalesce(size = 'large', private.has_size(title, description, 'large'));
CREATE INDEX IF NOT EXISTS listings_in_size_xl ON listings (
  created_at DESC, id DESC, category,
  private.has_kind(title, description, 'tickets'),
  private.has_kind(title, description, 'tailgate-gear'),
  private.has_kind(title, description, 'parking-passes')
) INCLUDE (status) WHERE coalesce(size = 'xl', private.has_size(title, description, 'xl'));
-- Words name no other size.
CREATE INDEX IF NOT EXISTS listings_of_size ON listings (size, created_at DESC, id DESC)
  WHERE status = 'published' AND size IS NOT NULL;
