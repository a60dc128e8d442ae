-- A separate migration, and thus a separate transaction, so that the triggers from the previous one
-- are already committed: they add the words of listings that are saved while this statement runs. It
-- takes under a minute for a million listings, which stay readable and writable.
SELECT private.collect_search_words();

CREATE INDEX search_words_by_stem ON private.search_words (stem);
CREATE INDEX search_words_by_trigram ON private.search_words USING gin (word gin_trgm_ops);
