import type { Queryable } from '#server/platform/postgres/database.ts';

/** So many of the newest listings tell how common a text is, and which clues to it are worth asking for. */
const sampleSize = 500;

/** What searches look through, of the newest listings. */
export const newestTexts = async (sql: Queryable): Promise<string[]> => {
  const rows = await sql<{ search_text: string }[]>`
    SELECT search_text FROM listings WHERE status = 'published' ORDER BY created_at DESC, id DESC LIMIT ${sampleSize}`;
  return rows.map((row) => row.search_text);
};

/** How large a part of a full sample has a text, from 0 to 1. */
export const shareOf = (text: string, texts: readonly string[]): number =>
  texts.filter((it) => it.includes(text)).length / sampleSize;
