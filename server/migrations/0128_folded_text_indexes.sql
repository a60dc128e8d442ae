-- The indexes of migration 0014 for the listings whose folded text differs from `search_text`: none yet, so building
-- them only reads the table. With millions of listings, create them beforehand (docs/migrations.md). If their condition
-- excluded nulls, the planner would read the whole index when few listings have a folded text, and compute the words of
-- each listing that it finds.
CREATE INDEX IF NOT EXISTS listings_folded_word_endings ON listings USING gin (private.word_endings(folded_text))
  WHERE status = 'published';
CREATE INDEX IF NOT EXISTS listings_folded_word_meetings ON listings USING gin (private.word_meetings(folded_text))
  WHERE status = 'published';
ALTER INDEX listings_folded_word_endings ALTER COLUMN 1 SET STATISTICS 0;
ALTER INDEX listings_folded_word_meetings ALTER COLUMN 1 SET STATISTICS 0;

-- The known words are folded, too.
CREATE OR REPLACE FUNCTION private.add_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO private.search_words (word, stem)
  SELECT word, private.stem_of(word) FROM (
    SELECT DISTINCT unnest(private.words_of(coalesce(folded_text, search_text))) AS word FROM saved
    WHERE status = 'published'
  ) AS words ORDER BY word
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION private.collect_search_words() RETURNS void LANGUAGE sql AS $$
  INSERT INTO private.search_words (word, stem)
  SELECT word, private.stem_of(word) FROM (
    SELECT DISTINCT unnest(private.words_of(coalesce(folded_text, search_text))) AS word FROM listings
    WHERE status = 'published'
  ) AS words ORDER BY word
  ON CONFLICT DO NOTHING
$$;
