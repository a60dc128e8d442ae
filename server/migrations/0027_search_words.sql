-- The distinct words of published listings, for the similar results of a search (server/features/listings/similar-search.ts).

-- A word has 3 to 24 characters, at least one of them a letter, so that phone numbers are excluded.
CREATE FUNCTION private.words_of(text) RETURNS text[]
  LANGUAGE sql IMMUTABLE STRICT
  RETURN ARRAY(
    SELECT DISTINCT word FROM regexp_split_to_table($1, '[[:space:][:punct:]]+') AS word
    WHERE length(word) BETWEEN 3 AND 24 AND word ~ '[^0-9]');

-- Returns the stem that the forms of an English word share; a stop word, which has no stem, is
-- returned unchanged.
CREATE FUNCTION private.stem_of(text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT
  RETURN coalesce((ts_lexize('english_stem', $1))[1], $1);

CREATE TABLE private.search_words (
  word text PRIMARY KEY,
  stem text NOT NULL
);

-- The trigger only adds words; a daily job removes words that no published listing contains any
-- more. Words are inserted in alphabetical order, so that two transactions that add the same words
-- do not deadlock.
CREATE FUNCTION private.add_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO private.search_words (word, stem)
  SELECT word, private.stem_of(word) FROM (
    SELECT DISTINCT unnest(private.words_of(search_text)) AS word FROM saved WHERE status = 'published'
  ) AS words ORDER BY word
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER add_search_words_of_new AFTER INSERT ON listings REFERENCING NEW TABLE AS saved
  FOR EACH STATEMENT EXECUTE FUNCTION private.add_search_words();
CREATE TRIGGER add_search_words_of_changed AFTER UPDATE ON listings REFERENCING NEW TABLE AS saved
  FOR EACH STATEMENT EXECUTE FUNCTION private.add_search_words();

-- Adds the words of all published listings, for rows that were loaded without triggers.
CREATE FUNCTION private.collect_search_words() RETURNS void LANGUAGE sql AS $$
  INSERT INTO private.search_words (word, stem)
  SELECT word, private.stem_of(word) FROM (
    SELECT DISTINCT unnest(private.words_of(search_text)) AS word FROM listings WHERE status = 'published'
  ) AS words ORDER BY word
  ON CONFLICT DO NOTHING
$$;
