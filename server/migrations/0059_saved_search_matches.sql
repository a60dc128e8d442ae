-- Columns for finding the saved searches that match a listing. The filters are derived from the
-- query. The server computes `lowered_text` and `location_pattern`, because it lower-cases the text
-- of a search; this file fills them for existing searches.
ALTER TABLE saved_searches
  ADD COLUMN lowered_text     text,
  -- The rarest substring of the text, of up to three characters: a listing that contains the text
  -- also contains this substring.
  ADD COLUMN text_key         text,
  ADD COLUMN location_pattern text,
  ADD COLUMN category    text    GENERATED ALWAYS AS (query ->> 'category') STORED,
  ADD COLUMN min_price   numeric GENERATED ALWAYS AS ((query ->> 'min_price')::numeric) STORED,
  ADD COLUMN max_price   numeric GENERATED ALWAYS AS ((query ->> 'max_price')::numeric) STORED,
  ADD COLUMN condition   text    GENERATED ALWAYS AS (query ->> 'condition') STORED,
  ADD COLUMN game_date   text    GENERATED ALWAYS AS (query ->> 'game_date') STORED,
  ADD COLUMN size        text    GENERATED ALWAYS AS (query ->> 'size') STORED,
  ADD COLUMN kind        text    GENERATED ALWAYS AS (query ->> 'kind') STORED,
  ADD COLUMN seller      uuid    GENERATED ALWAYS AS ((query ->> 'seller')::uuid) STORED,
  ADD COLUMN is_verified  boolean GENERATED ALWAYS AS (query ? 'verified') STORED,
  ADD COLUMN is_available boolean GENERATED ALWAYS AS (query ? 'available') STORED,
  -- When the person last looked at the results, and when matches were last announced.
  ADD COLUMN visited_at   timestamptz,
  ADD COLUMN announced_at timestamptz;
UPDATE saved_searches SET visited_at = created_at, lowered_text = lower(query ->> 'q'),
  text_key = left(lower(query ->> 'q'), 3),
  location_pattern = '%' || regexp_replace(lower(query ->> 'location'), '([\\%_])', '\\\1', 'g') || '%';
ALTER TABLE saved_searches
  ALTER COLUMN visited_at SET NOT NULL,
  -- Without filters, a search would match every listing.
  ADD CHECK ((query ? 'q') = (lowered_text IS NOT NULL)),
  ADD CHECK ((query ? 'q') = (text_key IS NOT NULL)),
  ADD CHECK ((query ? 'location') = (location_pattern IS NOT NULL));
-- A search for the listings of one person is deleted together with that person's account.
ALTER TABLE saved_searches ADD FOREIGN KEY (seller) REFERENCES users ON DELETE CASCADE;
CREATE INDEX saved_searches_by_seller ON saved_searches (seller) WHERE seller IS NOT NULL;
CREATE INDEX saved_searches_by_text ON saved_searches (text_key) WHERE text_key IS NOT NULL;
CREATE INDEX saved_searches_by_category ON saved_searches (category, max_price, min_price) WHERE text_key IS NULL;

-- Listings that matched a saved search; a listing matches a search at most once. `matched_at` is
-- when the listing was published or edited, and `announce_at` is when the match is due to be
-- announced; null when it was announced, or will not be.
CREATE TABLE saved_search_matches (
  search_id   uuid NOT NULL REFERENCES saved_searches ON DELETE CASCADE,
  listing_id  uuid NOT NULL,
  matched_at  timestamptz NOT NULL,
  announce_at timestamptz,
  PRIMARY KEY (search_id, listing_id)
);
CREATE INDEX saved_search_matches_of_listing ON saved_search_matches (listing_id);
CREATE INDEX saved_search_matches_to_announce ON saved_search_matches (announce_at, search_id) WHERE announce_at IS NOT NULL;

-- The queue of listings that were published or edited and have not been matched yet. `before` is
-- the state of an edited listing before the edit.
CREATE TABLE listings_to_match (
  listing_id uuid PRIMARY KEY,
  before     jsonb,
  due_at     timestamptz NOT NULL
);
CREATE INDEX listings_to_match_by_time ON listings_to_match (due_at);
