import type { Queryable } from '#server/platform/postgres/database.ts';

/** Size of the sample of newest listings that estimates how common a text is and which terms are selective. */
const sampleSize = 500;

/** Returns the searched texts of the newest listings. */
export const newestTexts = async (sql: Queryable): Promise<string[]> => {
  const rows = await sql<{ search_text: string }[]>`
    SELECT search_text FROM listings WHERE status = 'published' ORDER BY created_at DESC, id DESC LIMIT ${sampleSize}`;
  return rows.map((row) => row.search_text);
};

/** Returns the share of a full sample that contains a text, from 0 to 1. */
export const shareOf = (text: string, texts: readonly string[]): number =>
  texts.filter((it) => it.includes(text)).length / sampleSize;
