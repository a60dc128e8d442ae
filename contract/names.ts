import type { Campus } from './campus.ts';
import { latinLetterByHomoglyph, letterByLeetSymbol } from './homoglyphs.ts';
import { createSingleLineTextSchema, pictographPattern } from './text.ts';

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
const replaceHomoglyphs = (text: string, signMap: ReadonlyMap<string, string>): string =>
  Array.from(
    text.normalize('NFKD').replace(/\p{M}/gu, ''),
    (sign) => latinLetterByHomoglyph.get(sign) ?? signMap.get(sign) ?? sign,
  )
    .join('')
    .toLowerCase()
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/l/g, 'i');

const emptySignMap = new Map<string, string>();
const splitWords = (folded: string): string[] => folded.match(/\p{L}+/gu) ?? [];
const toAlternationPattern = (words: string): string =>
  replaceHomoglyphs(words, emptySignMap).split(' ').join('|');

/**
 * Returns a function that checks whether a name could be mistaken for the product, the campus, their staff or a
 * verified badge. It compares the shapes of letters, so that look-alikes from other alphabets, digits in place of
 * letters and separated letters cannot hide an impersonation.
 */
export const createImpersonationCheck = (
  campus: Pick<Campus, 'name' | 'siteName' | 'shortName'>,
): ((name: string) => boolean) => {
  const joinWords = (text: string): string =>
    splitWords(replaceHomoglyphs(text, letterByLeetSymbol)).join('');
  const campusName = joinWords(campus.name);
  const brandPattern = `${joinWords(campus.siteName)}|${joinWords(campus.shortName)}`;
  const [staffPattern = '', weakStaffPattern = '', memberPattern = '', fillerPattern = ''] = [
    staffWords,
    staffWordsNextToBrand,
    memberWords,
    fillerWords,
  ].map(toAlternationPattern);
  const reserved = `${brandPattern}|${staffPattern}|${weakStaffPattern}`;
  const otherParts = `${reserved}|${memberPattern}`;
  /**
   * Returns a pattern for words that consist of one `part` with any number of `others` before and after it.
   * Both parameters are alternatives separated by `|`.
   */
  const composedWord = (part: string, others: string): RegExp =>
    new RegExp(`^(?:${others})*(?:${part})(?:${others})*$`, 'u');
  const productWord = composedWord(brandPattern, otherParts);
  const strongWord = composedWord(staffPattern, otherParts);
  const weakWord = composedWord(`${weakStaffPattern}|${memberPattern}`, otherParts);
  const reservedName = composedWord(reserved, `${otherParts}|${fillerPattern}`);
  return (name) =>
    [emptySignMap, letterByLeetSymbol].some((signMap) => {
      const words = splitWords(replaceHomoglyphs(name, signMap));
      const joined = words.join('');
      const hasWord = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
      return (
        reservedName.test(joined) ||
        joined.includes(campusName) ||
        hasWord(strongWord) ||
        (hasWord(productWord) && hasWord(weakWord))
      );
    });
};

/**
 * Returns the schema of a full name: one line of at most 100 characters that does not imitate the site, the campus or
 * staff.
 */
export const createFullNameSchema = (campus: Campus) => {
  const isImpersonation = createImpersonationCheck(campus);
  return createSingleLineTextSchema({
    required: fullNameErrorMessages.missing,
    min: { length: 1, sentence: fullNameErrorMessages.missing },
    max: { length: 100, sentence: fullNameErrorMessages.long },
  })
    .refine((name) => !pictographPattern.test(name) && !badgeLikeSymbolPattern.test(name), {
      error: fullNameErrorMessages.symbols,
      abort: true,
    })
    .refine((name) => /[\p{L}\p{N}]/u.test(name), { error: fullNameErrorMessages.missing, abort: true })
    .refine((name) => !isImpersonation(name), fullNameErrorMessages.impersonation(campus));
};

/** Returns a name without the symbols and emoji that a full name must not contain. */
export const removeForbiddenSymbols = (name: string): string => {
  const pattern = new RegExp(`${pictographPattern.source}|${badgeLikeSymbolPattern.source}`, 'gu');
  return name.replace(pattern, '');
};

/**
 * Returns the display name of a person who hides their full name: the part of the email address before the at-sign, or
 * 'User' when that part would not be accepted as a full name.
 */
export const getDisplayNameFromEmail = (email: string, campus: Campus): string => {
  const [local = ''] = email.split('@');
  return createFullNameSchema(campus).safeParse(local).success ? local : 'User';
};
