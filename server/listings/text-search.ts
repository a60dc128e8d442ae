import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

/** Maximum number of terms that are considered: more would hardly help, and long texts have thousands of terms. */
const maxCandidates = 24;
/** Number of index entries that PostgreSQL reads in the time it takes to check the text of one listing. */
const entriesPerCheck = 5;

/**
 * Returns the few terms with which an index finds a text fastest. The index reads the list of listings for each term;
 * then each listing that has all the terms is checked for the whole text. The sample serves to estimate how many of
 * these checks would fail.
 */
export const chooseSelectiveTerms = (
  whole: string,
  terms: readonly string[],
  sample: readonly string[],
): string[] => {
  const chosenTerms: string[] = [];
  const candidates = terms
    .slice(0, maxCandidates)
    .map((term) => ({ term, entries: sample.filter((text) => text.includes(term)).length }));
  let failedChecks = sample.filter((text) => !text.includes(whole));
  for (;;) {
    const [best] = candidates
      .map(({ term, entries }) => {
        const left = failedChecks.filter((text) => text.includes(term));
        return { term, left, gain: failedChecks.length - left.length - entries / entriesPerCheck };
      })
      .toSorted((a, b) => b.gain - a.gain);
    if (!best || (chosenTerms.length > 0 && best.gain <= 0)) return chosenTerms;
    chosenTerms.push(best.term);
    failedChecks = best.left;
  }
};

/** Maximum length of the word endings in the index of migration 0014. */
const maxEndingLength = 24;

// Returns a LIKE pattern for text that contains this text; escapes %, _ and \, which have no special meaning in a
// search.
export const toContainsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Returns the SQL condition that a listing's searchable text contains the lower-cased text; PostgreSQL checks each row.
 */
export const hasText = (text: string): Fragment => fragment`strpos(l.search_text, ${text}) > 0`;

/**
 * Returns the letters around each space of a text, in the form in which migration 0014 indexes them. The first and last
 * word may be incomplete.
 */
const toWordMeetings = (words: readonly string[]): string[] => {
  const last = words.length - 1;
  return words.slice(1).flatMap((next, index) => {
    const [left, right] = [[...(words[index] ?? '')], [...next]];
    const two = (index > 0 || left.length > 1) && (index + 1 < last || right.length > 1);
    const letters = two ? 2 : 1;
    const meeting = `${left.slice(-letters).join('')} ${right.slice(0, letters).join('')}`;
    return meeting === ' ' ? [] : [meeting];
  });
};

/** Returns a `tsquery` that matches words with an ending that begins with this part. */
const toEndingQuery = (part: string): string =>
  `'${[...part].slice(0, maxEndingLength).join('').replace(/['\\]/g, '$&$&')}':*`;

/**
 * Returns the same condition as `hasText`, for the indexes of migration 0014, with only the terms that the sample shows
 * to be selective; undefined when the indexes do not help. The query is in a subquery so that the planner assumes high
 * selectivity: the caller knows that the text is rare, and PostgreSQL's estimates are far off.
 */
export const hasTextByIndex = (text: string, sample: readonly string[]): Fragment | undefined => {
  const words = text.split(/[ \n]/);
  const terms = chooseSelectiveTerms(
    text,
    [...toWordMeetings(words), ...words.filter((word) => word !== '')],
    sample,
  );
  if (terms.length === 0) return undefined;
  const meetings = terms.filter((term) => term.includes(' '));
  const parts = terms.filter((term) => !term.includes(' '));
  const isExact = parts[0] === text && [...text].length <= maxEndingLength;
  const conditions = isExact ? [] : [hasText(text)];
  if (meetings.length > 0)
    conditions.push(fragment`private.word_meetings(l.search_text) @> (SELECT ${meetings}::text[])`);
  if (parts.length > 0) {
    const query = parts.map(toEndingQuery).join(' & ');
    conditions.push(fragment`private.word_endings(l.search_text) @@ (SELECT ${query}::tsquery)`);
  }
  return conditions.reduce((all, next) => fragment`${all} AND ${next}`);
};
