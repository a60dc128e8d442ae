-- What searches find by (docs/decisions/0016). Building takes about a millisecond for each listing; where that is too
-- long, these statements may be run by hand beforehand, with CREATE INDEX CONCURRENTLY.

-- The functions' cost keeps plans from computing them for every row, which takes too long for a search. Not
-- declared safe for parallel plans: starting workers would take longer than most searches.

-- The endings of all words, the words themselves among them: a part of a word is how one of its endings begins. Words
-- are what blanks and ends of lines part. An ending is cut after 24 letters (server/listings/text-search.ts cuts too).
CREATE OR REPLACE FUNCTION private.word_endings(text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE STRICT COST 1000000
  RETURN array_to_tsvector(ARRAY(
    SELECT substr(word, start, 24)
    FROM string_to_table(translate($1, E'\n', ' '), ' ') AS word, generate_series(1, length(word)) AS start));

-- Where two words meet: the last two letters of one and the first two of the next, the last and the first, and each
-- of these alone.
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

-- Searches do not ask how common an ending is, and gathering it would take seconds.
ALTER INDEX listings_word_endings ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX listings_word_meetings ALTER COLUMN 1 SET STATISTICS 0;
