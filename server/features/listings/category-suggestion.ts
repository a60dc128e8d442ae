import { postableCategories } from '#contract/categories.ts';
import type { App } from '#server/app.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { foldedTitleSql, toSearchedText } from './text-search.ts';

type PostableCategory = (typeof postableCategories)[number];

/** The categories that say what an item is, and not how it is offered. */
const suggestedCategories = postableCategories.filter(
  (category) => category !== 'free' && category !== 'rentals',
);

/** Number of newest listings whose titles are compared, so that the cost does not grow with the number of listings. */
const maxComparedListings = 4000;
const maxWords = 8;
const minWordLength = 3;
/** Minimum number of listings with words of the title in the suggested category. */
const minListings = 2;
/** Minimum share of the votes for the suggested category, from 0 to 1. */
const minShare = 0.6;

/** How many of the compared listings contain a word, in one category. */
export interface WordCount {
  word: string;
  category: PostableCategory;
  count: number;
}

/** Returns the words of a folded title that may say what the item is, without the plural's final "s". */
export const listTellingWords = (foldedTitle: string): string[] => {
  const words = foldedTitle.match(/\p{L}[\p{L}\p{N}]*/gu) ?? [];
  const stems = words.map((word) => (word.length > minWordLength ? word.replace(/s$/, '') : word));
  return [...new Set(stems.filter((word) => word.length >= minWordLength))].slice(0, maxWords);
};

/**
 * Returns the category for which the words vote, or undefined when they do not agree. Each word has one vote, which it
 * divides among categories in proportion to its listings there; a word that is common everywhere so decides little.
 */
export const chooseCategory = (counts: readonly WordCount[]): PostableCategory | undefined => {
  const totals = new Map<string, number>();
  for (const { word, count } of counts) totals.set(word, (totals.get(word) ?? 0) + count);
  const votes = new Map<PostableCategory, { vote: number; listings: number }>();
  for (const { word, category, count } of counts) {
    const { vote, listings } = votes.get(category) ?? { vote: 0, listings: 0 };
    votes.set(category, {
      vote: vote + (count / (totals.get(word) ?? count)) ** 2,
      listings: listings + count,
    });
  }
  const sum = [...votes.values()].reduce((all, { vote }) => all + vote, 0);
  const [best] = [...votes].sort(([, a], [, b]) => b.vote - a.vote);
  if (!best || best[1].listings < minListings || best[1].vote < minShare * sum) return undefined;
  return best[0];
};

/**
 * Counts the newest published listings in whose titles a word begins with one of these words, by category.
 */
const countWords = (sql: Queryable, words: readonly string[]): Promise<readonly WordCount[]> => sql<
  WordCount[]
>`
  SELECT word, category, count(*)::int AS count FROM (
    SELECT l.category, ' ' || translate(${foldedTitleSql}, '-/("', '    ') AS title FROM listings l
    WHERE l.status = 'published' ORDER BY l.created_at DESC, l.id DESC LIMIT ${maxComparedListings}
  ) newest, unnest(${words}::text[]) AS word
  WHERE category = ANY (${suggestedCategories}::text[]) AND strpos(title, ' ' || word) > 0
  GROUP BY word, category`;

/** Returns the category in which most listings with words of this title are, or null when they do not agree. */
export const suggestCategory = async (app: App, title: string): Promise<PostableCategory | null> => {
  const words = listTellingWords(toSearchedText(title)?.text ?? '');
  if (words.length === 0) return null;
  const counts = await app.search((tx) => countWords(tx, words));
  return chooseCategory(counts) ?? null;
};
