-- What searches found by before 0014. The version before still calls private.search_grams, which calls
-- private.letter_pairs: both stay until another version has come; until then its searches are answered, only slower.
-- The extension pg_trgm stays where it is: it may serve somebody else.

DROP INDEX listings_search;
DROP INDEX listings_search_grams;
