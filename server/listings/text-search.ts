import type { Fragment, Queryable } from '#server/platform/database.ts';

// Three of these in a row are what the trigram index needs to find anything.
const trigram = /[a-z0-9]{3}/;
// Single characters that migration 0005 leaves out: nearly every text has them, so any scan soon finds enough.
const everywhere = /^[ \n.,abcdefghiklmnoprstuvwy]$/;
// Pairs that most English texts have: looking through the newest listings finds and counts them sooner than
// the index, which would answer nearly all there are.
const everyday = new Set(
  `th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri
  ro ic ne ea ra ce li ch ll be ma si om ur`.split(/\s+/),
);
/** Parts the pairs while migration 0005 cuts them. */
const separator = '\u0001';

// %, _ and \ are plain characters in what people search for.
export const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** What a text must have among its letter pairs to contain this one; a lone character stands for itself. */
const letterPairs = (text: string): string[] => {
  const letters = [...text];
  const pairs =
    letters.length === 1
      ? letters.filter((letter) => !everywhere.test(letter))
      : letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
  return [...new Set(pairs)].filter((pair) => !pair.includes(separator));
};

/** Few pairs decide as well as many. */
const enoughPairs = 8;

/** Listings whose searched text contains the lower-cased one, by whichever index can tell. */
export const hasText = (sql: Queryable, text: string): Fragment => {
  const pairs = trigram.test(text) ? [] : letterPairs(text).slice(0, enoughPairs);
  if (pairs.length === 0 || everyday.has(text)) return sql`l.search_text LIKE ${contains(text)}`;
  return sql`(strpos(l.search_text, ${text}) > 0 AND private.letter_pairs(l.search_text) @> ${pairs}::text[])`;
};
