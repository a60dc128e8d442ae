-- An index of the places where two words meet, which trigrams do not cover; finds phrases of common
-- words (docs/decisions/0013).

DROP INDEX listings_letter_pairs;
DROP STATISTICS listings_letter_pair_shares;

-- Returns the letter pairs and, for each two adjacent words, the last two letters of the first with
-- the first two of the second.
CREATE FUNCTION private.search_grams(text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT COST 1000000
  RETURN private.letter_pairs($1) || ARRAY(
    SELECT right(word, 2) || ' ' || left(next, 2)
    FROM unnest(string_to_array($1, ' '), (string_to_array($1, ' '))[2:]) AS meeting (word, next)
    WHERE next IS NOT NULL);

CREATE INDEX listings_search_grams ON listings USING gin (private.search_grams(search_text))
  WHERE status = 'published';

-- Searches do not use statistics about grams, and collecting them would take seconds.
ALTER INDEX listings_search_grams ALTER COLUMN 1 SET STATISTICS 0;
