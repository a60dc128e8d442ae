-- Indexes for lists sorted by price, and for searches with fewer than three letters (docs/decisions/0005).

CREATE INDEX listings_by_price ON listings (price, created_at DESC, id DESC) WHERE status = 'published';
CREATE INDEX listings_of_category_by_price ON listings (category, price, created_at DESC, id DESC)
  WHERE status = 'published';

-- Returns all pairs of adjacent characters, and all single characters except those that nearly
-- every text contains (server/features/listings/text-search.ts lists them, too). Pairs are taken from the
-- first character on, then from the second; they are separated by character 1, so pairs with this
-- character cannot be found. The high cost prevents plans that compute this function for every row,
-- which would take too long for a search. The function is not declared parallel safe, because
-- starting workers would take longer than most searches.
CREATE FUNCTION private.letter_pairs(text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT COST 1000000
  RETURN string_to_array(translate($1, E' \n.,abcdefghiklmnoprstuvwy', ''), NULL)
    || string_to_array(regexp_replace($1, '..', E'\\&\x01', 'g'), E'\x01')
    || string_to_array(regexp_replace(substr($1, 2), '..', E'\\&\x01', 'g'), E'\x01');

CREATE INDEX listings_letter_pairs ON listings USING gin (private.letter_pairs(search_text))
  WHERE status = 'published';

-- The number of listings with a pair decides whether a search uses this index or scans the newest
-- listings. PostgreSQL collects this statistic for the expression itself; it would not use
-- statistics of a partial index.
CREATE STATISTICS listings_letter_pair_shares ON private.letter_pairs(search_text) FROM listings;
ALTER INDEX listings_letter_pairs ALTER COLUMN 1 SET STATISTICS 0;
