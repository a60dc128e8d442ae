-- In a file of its own: from the previous one on, triggers add the words of listings that are saved. This takes under a minute
-- for a million listings, which stay readable and writable meanwhile.
SELECT private.collect_search_words();

CREATE INDEX search_words_by_stem ON private.search_words (stem);
CREATE INDEX search_words_by_trigram ON private.search_words USING gin (word gin_trgm_ops);
