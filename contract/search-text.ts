/** Characters that are read as another one before a text is decomposed, which would turn them into several. */
const earlyReplacements: Readonly<Record<string, string>> = { '´': "'", '″': '"', '־': '-' };
/** Combining marks of letters that are read without them: accents, and vowel points of Hebrew and Arabic. */
const marks =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the marks are meant by themselves
  /[\u0300-\u036F\u0591-\u05C7\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\u3099\u309A\uFE00-\uFE2F]/g;
const lateReplacements: ReadonlyMap<string, string> = new Map(
  [
    ["'", '‘’‚‛ʼ′'],
    ['"', '“”„‟«»'],
    ['-', '‐–—―−'],
    ['/', '⁄'],
    ['o', 'ø'],
    ['d', 'đð'],
    ['l', 'ł'],
    ['i', 'ı'],
    ['h', 'ħ'],
    ['t', 'ŧ'],
    ['σ', 'ς'],
    ['ss', 'ß'],
    ['ae', 'æ'],
    ['oe', 'œ'],
    ['th', 'þ'],
  ].flatMap(([plain = '', others = '']) => [...others].map((other): [string, string] => [other, plain])),
);

// Lower-cases each character by itself, as PostgreSQL does; JavaScript lower-cases a Σ at the end of a word differently.
const foldCharacter = (character: string): string => {
  const lower = character.toLowerCase();
  return lateReplacements.get(lower) ?? lower;
};

/**
 * Returns a text in the form in which searches compare it: lower-cased, without accents, with plain quotes, hyphens
 * and width. Each character is folded by itself, so a text that contains another still contains it when both are folded.
 * The same as `private.fold` in the database.
 */
export const foldText = (text: string): string =>
  Array.from(
    Array.from(text, (character) => earlyReplacements[character] ?? character)
      .join('')
      .normalize('NFKD')
      .replace(marks, ''),
    foldCharacter,
  ).join('');

const joints = [' ', '-', "'"];
/** What may stand before and after words in a text, besides its beginning and end. */
export const wordOpeners = [' ', '\n', '(', '"', '/'];
export const wordClosers = [' ', '\n', ',', '.', ';', ':', '!', '?', ')', '"', '/'];
const minLetters = 3;
const maxLength = 30;
const letterPattern = /[\p{Alphabetic}\p{Nd}]/gu;
const letterAtEnd = /[\p{Alphabetic}\p{Nd}]$/u;
const letterAtStart = /^[\p{Alphabetic}\p{Nd}]/u;

/** A text that differs from a searched one by one joint, split at this joint. */
export interface JointVariant {
  before: string;
  /** A space, a hyphen, an apostrophe, or nothing where the searched text has one of them. */
  joint: string;
  after: string;
}

/**
 * Returns whether a variant is found only as whole words: "toy" is in "to your", and "e bike" in "the bike".
 */
export const isWholeWordVariant = ({ joint }: JointVariant): boolean => joint === ' ' || joint === '';

/**
 * Returns the texts that a search for a folded text finds besides the text itself: those with one joint (a space, hyphen
 * or apostrophe between letters or digits) added, exchanged or left out. A very short or long text has none. The same as
 * `private.joint_pattern` in the database.
 */
export const listJointVariants = (searched: string): JointVariant[] => {
  const characters = [...searched];
  const letterCount = searched.match(letterPattern)?.length ?? 0;
  if (characters.length > maxLength || letterCount < minLetters) return [];
  return characters.flatMap((character, index) => {
    const present = joints.includes(character) ? character : '';
    const before = characters.slice(0, index).join('');
    const after = characters.slice(present ? index + 1 : index).join('');
    if (!letterAtEnd.test(before) || !letterAtStart.test(after)) return [];
    // No space separates two single letters: "u p" is in "you pick".
    const areSingle = /(?:^|[ \n]).$/u.test(before) && /^.(?:[ \n]|$)/u.test(after);
    return [...joints, '']
      .filter((joint) => joint !== present && !(joint === ' ' && areSingle))
      .map((joint) => ({ before, joint, after }));
  });
};

/** Returns a text without joints. */
export const removeJoints = (text: string): string => text.replace(/[ '-]/g, '');

const containsWhole = (text: string, words: string): boolean => {
  for (let start = text.indexOf(words); start !== -1; start = text.indexOf(words, start + 1)) {
    const opener = text[start - 1];
    const closer = text[start + words.length];
    if (
      (opener === undefined || wordOpeners.includes(opener)) &&
      (closer === undefined || wordClosers.includes(closer))
    )
      return true;
  }
  return false;
};

/** Returns a function that tells whether a folded text contains the folded `searched` text or one of its variants. */
export const createTextMatcher = (searched: string): ((text: string) => boolean) => {
  const tests = listJointVariants(searched).map((variant) => {
    const words = variant.before + variant.joint + variant.after;
    return isWholeWordVariant(variant)
      ? (text: string) => containsWhole(text, words)
      : (text: string) => text.includes(words);
  });
  // A variant differs in one place, so it contains one half of the text. Looking for the halves is faster.
  const middle = Math.floor(searched.length / 2);
  const halves = [searched.slice(0, middle), searched.slice(middle)];
  return (text) =>
    text.includes(searched) ||
    (halves.some((half) => text.includes(half)) && tests.some((test) => test(text)));
};
