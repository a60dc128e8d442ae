-- Listings and stored files. The limits are those of the listing form; a published listing is complete.

CREATE TABLE listings (
  id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  slug          text NOT NULL UNIQUE,
  user_id       uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  title         text,
  description   text,
  price         numeric(8, 2),
  photos        text[] NOT NULL DEFAULT '{}',
  category      text,
  condition     text,
  location      text,
  status        text NOT NULL,
  game_date     date,
  contact_email text,
  contact_phone text,
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL,
  published_at  timestamptz,
  CONSTRAINT listings_status_known CHECK (status IN ('published', 'draft')),
  CONSTRAINT listings_category_known CHECK (category IN (
    'game-day', 'merchandise', 'furniture', 'rentals', 'textbooks', 'electronics', 'clothing',
    'study-items', 'kitchen', 'trojan-merch', 'free')),
  CONSTRAINT listings_condition_known CHECK (condition IN ('new', 'like-new', 'good', 'fair')),
  CONSTRAINT listings_title_bound CHECK (char_length(title) <= 80),
  CONSTRAINT listings_description_bound CHECK (char_length(description) <= 1000),
  CONSTRAINT listings_location_bound CHECK (char_length(location) <= 200),
  CONSTRAINT listings_price_bound CHECK (price BETWEEN 0 AND 100000),
  CONSTRAINT listings_photos_bound CHECK (cardinality(photos) <= 5),
  CONSTRAINT listings_contact_bound CHECK (char_length(contact_email) <= 254 AND char_length(contact_phone) <= 30),
  CONSTRAINT listings_published_complete CHECK (status = 'draft' OR (
    title IS NOT NULL AND char_length(title) >= 10
    AND description IS NOT NULL AND char_length(description) >= 40
    AND location IS NOT NULL AND char_length(location) >= 1
    AND category IS NOT NULL AND condition IS NOT NULL AND published_at IS NOT NULL
    AND price IS NOT NULL AND (category = 'free') = (price = 0)
    AND (contact_email IS NOT NULL OR contact_phone IS NOT NULL)))
);

CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- The searchable text, lower-cased once when it is written, because case-folding in each search is expensive.
ALTER TABLE listings ADD COLUMN search_text text GENERATED ALWAYS AS (
  lower(coalesce(title, '') || E'\n' || coalesce(description, '') || E'\n' || coalesce(location, '') || E'\n'
    || coalesce(category, '') || E'\n' || CASE category
      WHEN 'game-day' THEN 'Game Day' WHEN 'merchandise' THEN 'Merch' WHEN 'study-items' THEN 'Study Items'
      ELSE '' END)
) STORED;

CREATE INDEX listings_newest ON listings (created_at DESC, id DESC) WHERE status = 'published';
CREATE INDEX listings_of_category ON listings (category, created_at DESC, id DESC) WHERE status = 'published';
CREATE INDEX listings_game_days ON listings (game_date ASC NULLS LAST, created_at DESC, id DESC)
  WHERE status = 'published' AND category = 'game-day';
CREATE INDEX listings_of_user ON listings (user_id, created_at DESC, id DESC);
CREATE INDEX listings_search ON listings USING gin (search_text gin_trgm_ops) WHERE status = 'published';

-- Every stored file and its owner; a row is inserted only after its file has been written.
CREATE TABLE private.objects (
  bucket     text NOT NULL CHECK (bucket IN ('listing-photos', 'avatars')),
  path       text NOT NULL,
  url        text NOT NULL UNIQUE GENERATED ALWAYS AS ('/storage/v1/object/public/' || bucket || '/' || path) STORED,
  owner_id   uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  width      int NOT NULL,
  height     int NOT NULL,
  thumbhash  text NOT NULL,
  bytes      bigint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (bucket, path)
);
CREATE INDEX objects_of_owner ON private.objects (owner_id, created_at);
