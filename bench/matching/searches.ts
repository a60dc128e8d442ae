import { conditions, postableCategories } from '#contract/categories.ts';
import type { SavedSearchQuery } from '#contract/listing-queries.ts';
import { estimateMatchRatio, listNewestSearchableTexts } from '#server/features/listings/match-estimates.ts';
import { chooseTextKey } from '#server/features/saved-searches/text-keys.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { json, toInsertedRows } from '#server/platform/postgres/sql-fragments.ts';
import { createRandomSource, pickRandom, pickRandomByRank, vocabulary } from '../vocabulary.ts';

const batchSize = 5000;
/** Words that occur in a larger share of all listings than this are not used in saved searches. */
const maxShare = 0.015;

/**
 * Adds `count` saved searches of the generated people. Three out of four have a search text of one or two
 * words, the others a category; some also have a price range or a condition. An account may get more saved
 * searches than the product allows.
 */
export const addSavedSearches = async (sql: Sql, count: number): Promise<void> => {
  const random = createRandomSource(7);
  const people = await sql<{ id: string }[]>`SELECT id FROM users ORDER BY email`;
  const texts = await listNewestSearchableTexts(sql);
  const keys = new Map<string, string>();
  const getKey = (text: string): string => {
    const key = keys.get(text) ?? chooseTextKey(text, texts);
    keys.set(text, key);
    return key;
  };
  const searchedWords = vocabulary.filter((word) => estimateMatchRatio(word, texts) <= maxShare);
  const pickSearchedWord = (): string => pickRandomByRank(random, searchedWords);
  const now = new Date();
  const createSearch = (number: number) => {
    const hasText = random() < 0.75;
    const query: SavedSearchQuery = {};
    if (hasText)
      query.q = random() < 0.7 ? pickSearchedWord() : `${pickSearchedWord()} ${pickSearchedWord()}`;
    if (!hasText || random() < 0.4) query.category = pickRandom(random, postableCategories);
    if (random() < 0.5) query.max_price = pickRandom(random, [20, 50, 100, 200]);
    if (!hasText || random() < 0.1) query.condition = pickRandom(random, conditions);
    return {
      user_id: people[number % people.length]?.id ?? '',
      name: `Search ${number}`,
      query: json(query),
      lowered_text: query.q ?? null,
      text_key: query.q ? getKey(query.q) : null,
      alert: pickRandom(random, ['instant', 'instant', 'daily', 'off']),
      created_at: now,
      visited_at: new Date(now.getTime() - 24 * 60 * 60_000),
    };
  };
  for (let first = 0; first < count; first += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - first) }, (_, index) =>
      createSearch(first + index),
    );
    await sql`INSERT INTO saved_searches ${toInsertedRows(rows)}`;
  }
  await sql`VACUUM ANALYZE saved_searches`;
};
