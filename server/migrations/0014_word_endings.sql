-- The indexes for searches (docs/decisions/0016). Building them takes about a millisecond per
-- listing; for large tables, run these statements by hand beforehand, with CREATE INDEX
-- CONCURRENTLY.

-- The high cost prevents plans that compute these functions for every row, which would take too
-- long for a search. The functions are not declared parallel safe, because starting workers would
-- take longer than most searches.

-- Returns the endings of all words, including the words themselves: every part of a word is the
-- beginning of one of its endings. Words are separated by blanks and line ends. An ending is cut
-- after 24 letters (also in server/features/listings/text-search.ts).
CREATE OR REPLACE FUNCTION private.word_endings(text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE STRICT COST 1000000
  RETURN array_to_tsvector(ARRAY(
    SELECT substr(word, start, 24)
    FROM string_to_table(translate($1, E'\n', ' '), ' ') AS word, generate_series(1, length(word)) AS start));

-- Returns the letters around each space: the last two letters of one word with the first two of the
-- next, the last with the first, and each of these alone.
CREATE OR REPLACE FUNCTION private.word_meetings(text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT COST 1000000
  RETURN ARRAY(
    SELECT unnest(ARRAY[
      right(word, 2) || ' ' || left(next, 2), right(word, 1) || ' ' || left(next, 1),
      right(word, 1) || ' ', ' ' || left(next, 1)])
    FROM (SELECT string_to_array(translate($1, E'\n', ' '), ' ') AS words) AS split,
      unnest(words, words[2:]) AS meeting (word, next)
    WHERE next IS NOT NULL);

CREATE INDEX IF NOT EXISTS listings_word_endings ON listings USING gin (private.word_endings(search_text))
  WHERE status = 'published';
CREATE INDEX IF NOT EXISTS listings_word_meetings ON listings USING gin (private.word_meetings(search_text))
  WHERE status = 'published';

-- Searches do not use statistics about endings, and collecting them would take seconds.
ALTER INDEX listings_word_endings ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX listings_word_meetings ALTER COLUMN 1 SET STATISTICS 0;
