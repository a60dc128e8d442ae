import type { Sql } from '#server/platform/postgres/database.ts';

/**
 * Removes the words that no published listing contains any more. A listing that is published while this runs may need a
 * word that is being removed, so all words are collected again afterwards.
 */
export const removeUnusedWords = async (sql: Sql): Promise<void> => {
  await sql`
    DELETE FROM private.search_words known WHERE NOT EXISTS (
      SELECT FROM (
        SELECT DISTINCT unnest(private.words_of(search_text)) AS word FROM listings WHERE status = 'published'
      ) AS used WHERE used.word = known.word)`;
  await sql`SELECT private.collect_search_words()`;
};
