import type { Campus } from './campus.ts';
import { latinLetterByHomoglyph, letterByLeetSymbol } from './homoglyphs.ts';
import { joinSeparatedLetters } from './phrase-matching.ts';
import { countCharacters, createSingleLineTextSchema, pictographPattern, removePictographs } from './text.ts';

const maxFullNameLength = 100;

export const fullNameErrorMessages = {
  missing: 'Please enter your full name',
  long: 'Full name must be at most 100 characters',
  symbols: 'Full name cannot contain emojis or check marks',
  impersonation: ({ siteName, shortName }: Pick<Campus, 'siteName' | 'shortName'>) =>
    `Please use your own name: this one could be mistaken for ${siteName} or ${shortName} staff`,
} as const;

/**
 * Symbols that could be mistaken for a badge: dingbats, circled letters, skin tones without an
 * emoji, and the square root sign, which looks like a check mark.
 */
const badgeLikeSymbolPattern = /[\p{So}\p{Emoji_Modifier}\u221A]/u;

/** Words that suggest staff or a certification in any context. */
const staffWords =
  'admin admins administrator administrators sysadmin moderator moderators support helpdesk webmaster postmaster noreply official verified';
/** Words that suggest staff only as the whole name, or next to the name of the site or campus. */
const staffWordsNextToBrand =
  'mod mods staff team help desk service services security safety system office customer care account accounts billing police bot info';
/** Words that suggest a member of the university only next to the name of the site or campus. */
const memberWords = 'student students alumni alum faculty';
/**
 * Words that do not make a name harmless: a name that consists only of these and of reserved words still
 * counts as an impersonation.
 */
const fillerWords = 'the and campus university online real app site';

/**
 * Replaces letters that look alike with a common letter, for example "rn" with "m", "vv" with "w" and "l"
 * with "i", so that names that look alike become equal.
 */
const replaceHomoglyphs = (text: string, letterBySymbol: ReadonlyMap<string, string>): string =>
  Array.from(
    text.normalize('NFKD').replace(/\p{M}/gu, ''),
    (symbol) => latinLetterByHomoglyph.get(symbol) ?? letterBySymbol.get(symbol) ?? symbol,
  )
    .join('')
    .toLowerCase()
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/l/g, 'i');

const noSymbols = new Map<string, string>();
const foldWordList = (words: string): string[] => replaceHomoglyphs(words, noSymbols).split(' ');

/**
 * Returns the words of a name in two ways: separated by everything that is no letter, and only by spaces. Letters that
 * stand alone, as in "A d m i n", form a word. Longer words never join, because "Ad Min" is a person.
 */
const listWords = (folded: string): string[][] => {
  const visible = folded.replace(/\p{Cf}/gu, '');
  const bySpaces = visible.split(/\s+/u).map((word) => word.replace(/\P{L}/gu, ''));
  return [visible.match(/\p{L}+/gu) ?? [], bySpaces.filter(Boolean)].map(joinSeparatedLetters);
};

/**
 * Returns whether a word consists of one of `parts` with any number of `others` before and after it. Tries no split
 * twice, so the time is proportional to the length of the word.
 */
const isComposedWord = (word: string, parts: readonly string[], others: readonly string[]): boolean => {
  // Positions that a sequence of `others` can reach, without one of `parts` among them and with one.
  const reachedBeforePart = new Set([0]);
  const reachedAfterPart = new Set<number>();
  for (let at = 0; at < word.length; at += 1) {
    const isBeforePart = reachedBeforePart.has(at);
    const isAfterPart = reachedAfterPart.has(at);
    if (!isBeforePart && !isAfterPart) continue;
    for (const other of others) {
      if (!word.startsWith(other, at)) continue;
      if (isBeforePart) reachedBeforePart.add(at + other.length);
      if (isAfterPart) reachedAfterPart.add(at + other.length);
    }
    if (!isBeforePart) continue;
    for (const part of parts) if (word.startsWith(part, at)) reachedAfterPart.add(at + part.length);
  }
  return reachedAfterPart.has(word.length);
};

/**
 * Returns a function that checks whether a name could be mistaken for the product, the campus, their staff or a
 * verified badge. It compares the shapes of letters, so that look-alikes from other alphabets, digits in place of
 * letters and separated letters cannot hide an impersonation. It compares whole words.
 */
export const createImpersonationCheck = (
  campus: Pick<Campus, 'name' | 'siteName' | 'shortName'>,
): ((name: string) => boolean) => {
  const toPhrase = (text: string): string =>
    (listWords(replaceHomoglyphs(text, letterByLeetSymbol))[0] ?? []).join(' ');
  const campusName = toPhrase(campus.name);
  const brand = [toPhrase(campus.siteName), toPhrase(campus.shortName)].filter(Boolean);
  const names = [campusName, ...brand];
  const joinSpaces = (phrase: string): string => phrase.replaceAll(' ', '');
  /** Joins the words of a name of the site or the campus into one, so that all checks are about single words. */
  const joinNames = (words: readonly string[]): string[] =>
    names
      .reduce(
        (text, phrase) => text.replaceAll(` ${phrase} `, ` ${joinSpaces(phrase)} `),
        ` ${words.join(' ')} `,
      )
      .trim()
      .split(' ');
  const brandWords = brand.map(joinSpaces);
  const campusWord = joinSpaces(campusName);
  const [staff = [], weakStaff = [], member = [], filler = []] = [
    staffWords,
    staffWordsNextToBrand,
    memberWords,
    fillerWords,
  ].map(foldWordList);
  const reserved = [...brandWords, ...staff, ...weakStaff];
  const others = [...reserved, ...member];
  const reservedOrFiller = [...others, ...filler];
  return (name) =>
    [noSymbols, letterByLeetSymbol]
      .flatMap((letterBySymbol) => listWords(replaceHomoglyphs(name, letterBySymbol)))
      .map(joinNames)
      .some((words) => {
        const hasWord = (parts: string[], more = others) =>
          words.some((word) => isComposedWord(word, parts, more));
        return (
          (hasWord(reserved, reservedOrFiller) &&
            words.every((word) => isComposedWord(word, reservedOrFiller, reservedOrFiller))) ||
          hasWord([campusWord], reservedOrFiller) ||
          hasWord(staff) ||
          (hasWord(brandWords) && hasWord([...weakStaff, ...member]))
        );
      });
};

const createFullNameSchema = (campus: Campus) => {
  const isImpersonation = createImpersonationCheck(campus);
  return createSingleLineTextSchema({
    required: fullNameErrorMessages.missing,
    min: { length: 1, sentence: fullNameErrorMessages.missing },
    max: { length: maxFullNameLength, sentence: fullNameErrorMessages.long },
  })
    .refine((name) => !pictographPattern.test(name) && !badgeLikeSymbolPattern.test(name), {
      error: fullNameErrorMessages.symbols,
      abort: true,
    })
    .refine((name) => /[\p{L}\p{N}]/u.test(name), { error: fullNameErrorMessages.missing, abort: true })
    .refine(
      // Normalizing a name that is too long anyway could take seconds.
      (name) => countCharacters(name) > maxFullNameLength || !isImpersonation(name),
      fullNameErrorMessages.impersonation(campus),
    );
};

const schemaByCampus = new WeakMap<Campus, ReturnType<typeof createFullNameSchema>>();

/**
 * Returns the schema of a full name: one line of at most 100 characters that does not imitate the site, the campus or
 * staff. It is created once for each campus, which takes about a millisecond.
 */
export const getFullNameSchema = (campus: Campus): ReturnType<typeof createFullNameSchema> => {
  const schema = schemaByCampus.get(campus) ?? createFullNameSchema(campus);
  schemaByCampus.set(campus, schema);
  return schema;
};

/** Returns a name without the symbols and emoji that a full name must not contain. */
export const removeForbiddenSymbols = (name: string): string =>
  removePictographs(name).replace(new RegExp(badgeLikeSymbolPattern, 'gu'), '');

/**
 * Returns the display name of a person who hides their full name: the part of the email address before the at-sign, or
 * 'User' when that part would not be accepted as a full name.
 */
export const getDisplayNameFromEmail = (email: string, campus: Campus): string => {
  const [local = ''] = email.split('@');
  return getFullNameSchema(campus).safeParse(local).success ? local : 'User';
};
