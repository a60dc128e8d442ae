import {
  foldText,
  type JointVariant,
  listJointVariants,
  wordClosers,
  wordOpeners,
} from '#contract/search-text.ts';
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

/** The text that a search looks for. */
export interface SearchedText {
  /** The folded text; the lower-cased one if nothing remains of it. */
  text: string;
  /**
   * The lower-cased text, if it differs from the folded one. A listing that contains it is found even if its own folded
   * text is missing or was made by a PostgreSQL that knows other characters.
   */
  exactText: string | undefined;
}

/** Returns the text that a search looks for, or undefined when there is none. */
export const toSearchedText = (q: string | undefined): SearchedText | undefined => {
  if (!q) return undefined;
  const exact = toLowerCase(q);
  const text = foldText(q) || exact;
  return { text, exactText: exact === text ? undefined : exact };
};

/** The folded text of the listing `l` (migration 0127). */
export const foldedTextSql = fragment`coalesce(l.folded_text, l.search_text)`;

/** The folded title of the listing `l`: the first line of its folded text. */
export const foldedTitleSql = fragment`split_part(${foldedTextSql}, E'\n', 1)`;

/** Returns the SQL condition that a folded text contains another one. */
export const toPlainCondition = (folded: Fragment, text: SqlValue): Fragment =>
  fragment`strpos(${folded}, ${text}) > 0`;

/**
 * Returns the SQL condition that a folded text contains one half of another one. A text that contains a variant does, because
 * a variant differs in one place.
 */
const toHalfCondition = (folded: Fragment, text: SqlValue): Fragment => {
  const left = toPlainCondition(folded, fragment`left(${text}, length(${text}) / 2)`);
  const right = toPlainCondition(folded, fragment`substr(${text}, length(${text}) / 2 + 1)`);
  return fragment`(${left} OR ${right})`;
};

/**
 * Returns the SQL condition that a folded text contains a variant of another one with one joint added, exchanged or left
 * out (`listJointVariants`).
 */
const toVariantCondition = (folded: Fragment, text: SqlValue): Fragment =>
  // Looking for the halves is much faster than the regular expression of the variants.
  fragment`(${toHalfCondition(folded, text)} AND private.has_joint_variant(${folded}, ${text}))`;

const hasNoVariants = (text: SqlValue): boolean =>
  typeof text === 'string' && listJointVariants(text).length === 0;

/** Returns the SQL condition that a folded text contains another one or a variant of it. */
export const toContainsCondition = (folded: Fragment, text: SqlValue): Fragment => {
  const plain = toPlainCondition(folded, text);
  return hasNoVariants(text) ? plain : fragment`(${plain} OR ${toVariantCondition(folded, text)})`;
};

/**
 * Returns the same condition as `toContainsCondition`, which is faster where hardly any text contains the other one: most
 * are only searched for its halves.
 */
export const toRarelyContainsCondition = (folded: Fragment, text: SqlValue): Fragment =>
  hasNoVariants(text)
    ? toPlainCondition(folded, text)
    : fragment`(${toHalfCondition(folded, text)} AND (${toPlainCondition(folded, text)} OR private.has_joint_variant(${folded}, ${text})))`;

/** The values of a `SearchedText` in SQL. */
interface SearchedTextSql {
  text: SqlValue;
  exactText?: SqlValue | undefined;
}

const orExactCondition = (condition: Fragment, exactText: SqlValue | undefined): Fragment =>
  exactText === undefined ? condition : fragment`(${condition} OR strpos(l.search_text, ${exactText}) > 0)`;

/** Returns the SQL condition that the listing `l` contains a text, apart from variants. It uses no index. */
export const toPlainTextCondition = ({ text, exactText }: SearchedTextSql): Fragment =>
  orExactCondition(toPlainCondition(foldedTextSql, text), exactText);

/** Returns the SQL condition that a search for a text finds the listing `l`. It uses no index. */
export const toTextCondition = ({ text, exactText }: SearchedTextSql): Fragment =>
  orExactCondition(toContainsCondition(foldedTextSql, text), exactText);

/** Returns the rank of the listing `l` in a search for a text: 0 if its title contains the text, else 1. */
export const toTitleRankSql = ({ text, exactText }: SearchedTextSql): Fragment => {
  const folded = toContainsCondition(foldedTitleSql, text);
  return exactText === undefined
    ? fragment`CASE WHEN ${folded} THEN 0 ELSE 1 END`
    : fragment`CASE WHEN ${folded} OR strpos(lower(l.title), ${exactText}) > 0 THEN 0 ELSE 1 END`;
};

/**
 * Returns the SQL condition that the listing `l` contains only a variant of a text, or undefined if the text has no
 * variants. It uses no index.
 */
export const toVariantTextCondition = (searched: SearchedText): Fragment | undefined =>
  listJointVariants(searched.text).length === 0
    ? undefined
    : fragment`NOT ${toPlainTextCondition(searched)} AND ${toVariantCondition(foldedTextSql, searched.text)}`;

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

/** What is known about the published listings before a search. */
export interface SearchSample {
  /** The folded texts of the newest listings. */
  texts: readonly string[];
  /** Those words of `listWordsOfVariants` that a listing contains. */
  knownWords: ReadonlySet<string>;
}

/** Terms of a text in the indexes: words, or the letters around spaces. A listing that contains the text has them all. */
interface IndexTerms {
  words: string[];
  meetings: string[];
}

/**
 * Returns terms with which the indexes find the listings that contain a text. All are of the same kind, so that one index
 * has them.
 */
const chooseIndexTerms = (text: string, sample: readonly string[]): IndexTerms => {
  const words = text.split(/[ \n]/);
  const terms = chooseSelectiveTerms(
    text,
    [...toWordBoundaries(words), ...words.filter((word) => word !== '')],
    sample,
  );
  const [meetings, parts] = [true, false].map((isMeeting) =>
    terms.filter((term) => term.includes(' ') === isMeeting),
  ) as [string[], string[]];
  return terms[0]?.includes(' ') ? { words: [], meetings } : { words: parts, meetings: [] };
};

/** The words on both sides of a variant's joint. */
const toJoinedWords = ({ before, after }: JointVariant): [left: string, right: string] => [
  before.slice(Math.max(before.lastIndexOf(' '), before.lastIndexOf('\n')) + 1),
  after.split(/[ \n]/, 1)[0] ?? '',
];

/** Returns the openers or closers that belong to a word of the index, which spaces and line breaks separate. */
const listSigns = (characters: readonly string[]): string[] =>
  characters.filter((character) => character.trim() !== '');

/** Returns the letters around the space that a variant adds, as `private.word_meetings` indexes them. */
const listVariantMeetings = (variant: JointVariant): string[] => {
  const [left, right] = toJoinedWords(variant).map((word) => [...word]) as [string[], string[]];
  // A word of one letter is indexed together with the character before or after it.
  const lefts =
    left.length > 1
      ? [left.slice(-2).join('')]
      : ['', ...listSigns(wordOpeners)].map((opener) => opener + left[0]);
  const rights =
    right.length > 1
      ? [right.slice(0, 2).join('')]
      : ['', ...listSigns(wordClosers)].map((closer) => right[0] + closer);
  return lefts.flatMap((end) => rights.map((start) => `${end} ${start}`));
};

/** Returns a `tsquery` for a whole word, which may be followed by a sign. */
const toWholeWordTsquery = (word: string): string => {
  const whole = toWordEndingTsquery(word).replace(/:\*$/, '');
  return [whole, ...listSigns(wordClosers).map((closer) => toWordEndingTsquery(word + closer))].join(' | ');
};

/** Returns a `tsquery` for the word that a variant contains at its joint. */
const toVariantTsquery = (variant: JointVariant): string => {
  const [left, right] = toJoinedWords(variant);
  const word = left + variant.joint + right;
  const isLong = [...word].length >= maxWordEndingLength;
  // Many words begin with a short one, such as "into" with the letters of "in to".
  return variant.joint !== '' || isLong ? toWordEndingTsquery(word) : toWholeWordTsquery(word);
};

/** Matches the words that `private.search_words` contains if a published listing contains them. */
const dictionaryWord = /^(?=.*[^0-9])[\p{L}\p{N}]{3,24}$/u;

/** Returns the words that occur in listings if they contain a variant of the text with one more space. */
export const listWordsOfVariants = (text: string): string[] => [
  ...new Set(
    listJointVariants(text)
      .filter(({ joint }) => joint === ' ')
      .flatMap(toJoinedWords)
      .filter((word) => dictionaryWord.test(word)),
  ),
];

const textColumns = [fragment`l.search_text`, fragment`l.folded_text`];

// The terms are in subqueries so that the planner assumes high selectivity: the caller knows that the text is rare, and
// PostgreSQL's own estimates are far off.
const toEndingsLookup = (column: Fragment, query: string): Fragment =>
  fragment`private.word_endings(${column}) @@ (SELECT ${query}::tsquery)`;
const toMeetingsLookup = (column: Fragment, operator: Fragment, meetings: readonly string[]): Fragment =>
  fragment`private.word_meetings(${column}) ${operator} (SELECT ${meetings}::text[])`;

const toTermsLookup = (column: Fragment, { words, meetings }: IndexTerms): Fragment =>
  words.length > 0
    ? toEndingsLookup(column, words.map(toWordEndingTsquery).join(' & '))
    : toMeetingsLookup(column, fragment`@>`, meetings);

const joinWithOr = (lookups: readonly Fragment[]): Fragment =>
  lookups.reduce((all, next) => fragment`${all} OR ${next}`);

/** Returns the condition for the listings that contain only a variant of a text, using the indexes. */
const toIndexedVariantCondition = (
  searched: SearchedText,
  knownWords: ReadonlySet<string>,
): Fragment | undefined => {
  const condition = toVariantTextCondition(searched);
  if (!condition) return undefined;
  const variants = listJointVariants(searched.text);
  const query = variants
    .filter(({ joint }) => joint !== ' ')
    .map((variant) => `(${toVariantTsquery(variant)})`)
    .join(' | ');
  const meetings = variants
    .filter(({ joint }) => joint === ' ')
    .filter((variant) =>
      toJoinedWords(variant).every((word) => !dictionaryWord.test(word) || knownWords.has(word)),
    )
    .flatMap(listVariantMeetings);
  const lookups = textColumns.flatMap((column) => [
    toEndingsLookup(column, query),
    ...(meetings.length === 0 ? [] : [toMeetingsLookup(column, fragment`&&`, [...new Set(meetings)])]),
  ]);
  return fragment`${condition} AND (${joinWithOr(lookups)})`;
};

/**
 * Returns conditions that can use the indexes of migrations 0014 and 0128: each listing that `toTextCondition` finds meets
 * exactly one of them. Returns undefined when the indexes do not help. Only those terms of the text are looked up that are
 * selective according to the sample. Variants have a condition of their own, so that only the listings in which the
 * indexes find their terms are compared with them. A space is added only between two of the `knownWords` of the listings,
 * because the letters around most other spaces are common.
 */
export const listIndexedTextConditions = (
  searched: SearchedText,
  { texts: sample, knownWords }: SearchSample,
): Fragment[] | undefined => {
  const { text, exactText } = searched;
  const terms = chooseIndexTerms(text, sample);
  const exactTerms = exactText === undefined ? undefined : chooseIndexTerms(exactText, sample);
  if ([terms, exactTerms].some((it) => it?.words.length === 0 && it.meetings.length === 0)) return undefined;
  const lookups = [
    ...textColumns.map((column) => toTermsLookup(column, terms)),
    ...(exactTerms ? [toTermsLookup(fragment`l.search_text`, exactTerms)] : []),
  ];
  const isExact =
    exactText === undefined && terms.words[0] === text && [...text].length <= maxWordEndingLength;
  const found = fragment`(${joinWithOr(lookups)})`;
  const direct = isExact ? found : fragment`${toPlainTextCondition(searched)} AND ${found}`;
  const variant = toIndexedVariantCondition(searched, knownWords);
  return variant ? [direct, variant] : [direct];
};
