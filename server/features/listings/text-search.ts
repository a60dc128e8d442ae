import { type Fragment, fragment, type SqlValue } from '#server/platform/postgres/sql-fragments.ts';

/**
 * Maximum number of terms that are considered as index conditions. More terms would hardly narrow
 * the result, and a long search text has thousands of them.
 */
const maxCandidateTerms = 24;
/** Number of index entries that PostgreSQL reads in the time it takes to check the text of one listing. */
const indexEntriesPerTextCheck = 5;

/**
 * Returns those terms of a search text with which the indexes find matching listings fastest.
 * PostgreSQL reads the index entries of each term and then searches for the whole text in each
 * listing that contains all the terms. Each additional term costs index entries but avoids
 * searching texts without a match; both are estimated from the sample.
 */
export const chooseSelectiveTerms = (
  whole: string,
  terms: readonly string[],
  sample: readonly string[],
): string[] => {
  const chosenTerms: string[] = [];
  const candidates = terms
    .slice(0, maxCandidateTerms)
    .map((term) => ({ term, entries: sample.filter((text) => text.includes(term)).length }));
  let failedChecks = sample.filter((text) => !text.includes(whole));
  for (;;) {
    const [best] = candidates
      .map(({ term, entries }) => {
        const left = failedChecks.filter((text) => text.includes(term));
        return { term, left, gain: failedChecks.length - left.length - entries / indexEntriesPerTextCheck };
      })
      .toSorted((a, b) => b.gain - a.gain);
    if (!best || (chosenTerms.length > 0 && best.gain <= 0)) return chosenTerms;
    chosenTerms.push(best.term);
    failedChecks = best.left;
  }
};

/** Maximum length of the word endings in the index of migration 0014. */
const maxWordEndingLength = 24;

/**
 * Returns a text in lower case as PostgreSQL computes it for the searchable texts: each character by itself, and as one
 * character. JavaScript lower-cases a Σ at the end of a word differently, and turns İ into two characters.
 */
export const toLowerCase = (text: string): string =>
  Array.from(text, (character) => String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0)).join('');

/**
 * Returns the text that a search looks for, lower-cased like the searchable texts, or undefined when there is none.
 */
export const toSearchedText = (q: string | undefined): string | undefined => (q ? toLowerCase(q) : undefined);

// Returns a LIKE pattern that matches every text containing this one. The wildcards % and _ and the
// escape character \ are escaped, so that a search treats them as ordinary characters.
export const toContainsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * Returns the SQL condition that a listing's searchable text contains the lower-cased text. It uses
 * no index: PostgreSQL searches every row.
 */
export const toTextCondition = (text: SqlValue): Fragment => fragment`strpos(l.search_text, ${text}) > 0`;

/**
 * Returns the letters around each space of a text, as `private.word_meetings` of migration 0014
 * indexes them. The first and last word of the text may be incomplete.
 */
const toWordBoundaries = (words: readonly string[]): string[] => {
  const last = words.length - 1;
  return words.slice(1).flatMap((next, index) => {
    const [left, right] = [[...(words[index] ?? '')], [...next]];
    const two = (index > 0 || left.length > 1) && (index + 1 < last || right.length > 1);
    const letters = two ? 2 : 1;
    const meeting = `${left.slice(-letters).join('')} ${right.slice(0, letters).join('')}`;
    return meeting === ' ' ? [] : [meeting];
  });
};

/**
 * Returns a `tsquery` that finds words containing `part` at any position. The index contains all
 * endings of each word, so the query looks for endings that begin with `part`.
 */
export const toWordEndingTsquery = (part: string): string =>
  `'${[...part].slice(0, maxWordEndingLength).join('').replace(/['\\]/g, '$&$&')}':*`;

/**
 * Returns a condition that is equivalent to `toTextCondition` but can use the indexes of migration 0014, or undefined
 * when they do not help. It looks up only those terms of the text that are selective according to the sample. The
 * query is in a subquery so that the planner assumes high selectivity: the caller knows that the text is rare, and
 * PostgreSQL's own estimates are far off.
 */
export const toIndexedTextCondition = (text: string, sample: readonly string[]): Fragment | undefined => {
  const words = text.split(/[ \n]/);
  const terms = chooseSelectiveTerms(
    text,
    [...toWordBoundaries(words), ...words.filter((word) => word !== '')],
    sample,
  );
  if (terms.length === 0) return undefined;
  const meetings = terms.filter((term) => term.includes(' '));
  const parts = terms.filter((term) => !term.includes(' '));
  const isExact = parts[0] === text && [...text].length <= maxWordEndingLength;
  const conditions = isExact ? [] : [toTextCondition(text)];
  if (meetings.length > 0)
    conditions.push(fragment`private.word_meetings(l.search_text) @> (SELECT ${meetings}::text[])`);
  if (parts.length > 0) {
    const query = parts.map(toWordEndingTsquery).join(' & ');
    conditions.push(fragment`private.word_endings(l.search_text) @@ (SELECT ${query}::tsquery)`);
  }
  return conditions.reduce((all, next) => fragment`${all} AND ${next}`);
};
