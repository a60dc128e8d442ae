-- Removes the search indexes from before 0014. The previous version still calls
-- private.search_grams, which calls private.letter_pairs, so both functions stay until the next
-- version; until then the searches of the previous version are slower. The extension pg_trgm stays,
-- because other objects of the database may use it.

DROP INDEX listings_search;
DROP INDEX listings_search_grams;
