-- What lists by price need, and searches for fewer than three letters (docs/decisions/0005).

CREATE INDEX listings_by_price ON listings (price, created_at DESC, id DESC) WHERE status = 'published';
CREATE INDEX listings_of_category_by_price ON listings (category, price, created_at DESC, id DESC)
  WHERE status = 'published';

-- Every two characters that stand side by side, and single ones but for those that nearly every text has
-- (server/listings/text-search.ts names them too). Pairs are cut from the first character on, then from the
-- second; character 1 parts them, so a pair with this character in it is not found here.
-- The cost keeps plans from computing this for every row, which takes too long for a search. Not
-- declared safe for parallel plans: starting workers would take longer than most searches.
CREATE FUNCTION private.letter_pairs(text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT COST 1000000
  RETURN string_to_array(translate($1, E' \n.,abcdefghiklmnoprstuvwy', ''), NULL)
    || string_to_array(regexp_replace($1, '..', E'\\&\x01', 'g'), E'\x01')
    || string_to_array(regexp_replace(substr($1, 2), '..', E'\\&\x01', 'g'), E'\x01');

CREATE INDEX listings_letter_pairs ON listings USING gin (private.letter_pairs(search_text))
  WHERE status = 'published';

-- How many listings have a pair decides between this index and looking through the newest. PostgreSQL gathers
-- that for the expression as such; what it would gather for a partial index, it would not use.
CREATE STATISTICS listings_letter_pair_shares ON private.letter_pairs(search_text) FROM listings;
ALTER INDEX listings_letter_pairs ALTER COLUMN 1 SET STATISTICS 0;
