import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

/** More candidates would hardly help, and long texts have thousands. */
const mostTried = 24;
/** Number of index entries that are read in the time of checking one listing. */
const entriesForOneLook = 5;

/**
 * Returns the few terms that find a text fastest: an index reads the posting list of each term, and listings that have
 * all the terms but not the whole text are checked without success. A sample estimates how many those are.
 */
export const selectiveTerms = (
  whole: string,
  clues: readonly string[],
  sample: readonly string[],
): string[] => {
  const chosen: string[] = [];
  const tried = clues
    .slice(0, mostTried)
    .map((clue) => ({ clue, entries: sample.filter((text) => text.includes(clue)).length }));
  let inVain = sample.filter((text) => !text.includes(whole));
  for (;;) {
    const [best] = tried
      .map(({ clue, entries }) => {
        const left = inVain.filter((text) => text.includes(clue));
        return { clue, left, gain: inVain.length - left.length - entries / entriesForOneLook };
      })
      .toSorted((a, b) => b.gain - a.gain);
    if (!best || (chosen.length > 0 && best.gain <= 0)) return chosen;
    chosen.push(best.clue);
    inVain = best.left;
  }
};

/** Length to which migration 0014 cuts the endings of words. */
const longestEnding = 24;

// %, _ and \ are plain characters in a search.
export const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Returns the condition that the searched text contains the lower-cased one, checked row by row. */
export const hasText = (text: string): Fragment => fragment`strpos(l.search_text, ${text}) > 0`;

/** Returns the word boundaries in a text, as migration 0014 writes them; the first and last word may be incomplete. */
const meetingsOf = (words: readonly string[]): string[] => {
  const last = words.length - 1;
  return words.slice(1).flatMap((next, index) => {
    const [left, right] = [[...(words[index] ?? '')], [...next]];
    const two = (index > 0 || left.length > 1) && (index + 1 < last || right.length > 1);
    const letters = two ? 2 : 1;
    const meeting = `${left.slice(-letters).join('')} ${right.slice(0, letters).join('')}`;
    return meeting === ' ' ? [] : [meeting];
  });
};

/** Returns a `tsquery` for words with an ending that begins with this part. */
const endingsBeginning = (part: string): string =>
  `'${[...part].slice(0, longestEnding).join('').replace(/['\\]/g, '$&$&')}':*`;

/**
 * Returns the same condition for the indexes of migration 0014, with only the terms that a sample shows to be selective;
 * undefined when the indexes do not help. The query is in a subquery, so that the planner assumes high selectivity:
 * the caller knows that the text is rare, and PostgreSQL's estimates are far off.
 */
export const hasTextByIndex = (text: string, sample: readonly string[]): Fragment | undefined => {
  const words = text.split(/[ \n]/);
  const clues = selectiveTerms(text, [...meetingsOf(words), ...words.filter((word) => word !== '')], sample);
  if (clues.length === 0) return undefined;
  const meetings = clues.filter((clue) => clue.includes(' '));
  const parts = clues.filter((clue) => !clue.includes(' '));
  const settled = parts[0] === text && [...text].length <= longestEnding;
  const conditions = settled ? [] : [hasText(text)];
  if (meetings.length > 0)
    conditions.push(fragment`private.word_meetings(l.search_text) @> (SELECT ${meetings}::text[])`);
  if (parts.length > 0) {
    const query = parts.map(endingsBeginning).join(' & ');
    conditions.push(fragment`private.word_endings(l.search_text) @@ (SELECT ${query}::tsquery)`);
  }
  return conditions.reduce((all, next) => fragment`${all} AND ${next}`);
};
