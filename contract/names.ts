import type { Campus } from './campus.ts';
import { lineSchema, pictographPattern } from './text.ts';

export const fullNameSentences = {
  missing: 'Please enter your full name',
  long: 'Full name must be at most 100 characters',
  symbols: 'Full name cannot contain emojis or check marks',
  imitation: ({ siteName, shortName }: Pick<Campus, 'siteName' | 'shortName'>) =>
    `Please use your own name: this one could be mistaken for ${siteName} or ${shortName} staff`,
} as const;

/**
 * Symbols that could be mistaken for a badge: dingbats, circled letters, skin tones without an emoji, and the root
 * sign.
 */
const badgeLikeSymbol = /[\p{So}\p{Emoji_Modifier}\u221A]/u;

/** Words that suggest staff or a certification in any context. */
const staffWords =
  'admin admins administrator administrators sysadmin moderator moderators support helpdesk webmaster postmaster noreply official verified';
/** Words that suggest staff on their own or next to the name of the site or campus. */
const staffWordsNextToBrand =
  'mod mods staff team help desk service services security safety system office customer care account accounts billing police bot info';
/** Words that suggest a member of the university only next to the name of the site or campus. */
const memberWords = 'student students alumni alum faculty';
/** Words that do not make a name harmless when they stand between reserved words. */
const fillerWords = 'the and campus university online real app site';

// Letters of other alphabets that look like Latin letters, each string with the Latin letters in the same order:
// Cyrillic, Greek, Armenian, Cherokee, Lisu, and small capitals and other letters of the Latin script. Full-width,
// mathematical and accented letters are not listed because NFKD normalizes them.
const lookalikes: [string, string][] = [
  ['авсԁеһіјкӏмпорԛгѕтцѵԝхуӀАВСЕНІЈКМОРԚЅТѴԜХУ', 'abcdehijkimnopqrstuvwxyiabcehijkmopqstvwxy'],
  ['αβεηικμνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abenikmvoptuxwabezhikmnoptyx'],
  ['սօոհցքԼՏՍՕ', 'uonhgqlsuo'],
  ['ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷΝᎤᏢᏒᏚᎢᏙᎳᎩᏃ', 'abcdeghijklmnoprstvwyz'],
  ['ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ', 'abcdefghijklmnoprstuvwxyz'],
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnopqrstuvwyz'],
  ['ıɩɑɡɾʋøđłħŧɛɔ', 'iiagrvodlhtec'],
];
const latinByLookalike = new Map(
  lookalikes.flatMap(([from, to]) => [...from].map((letter, index) => [letter, to[index] ?? ''] as const)),
);
const letterByDigitOrSign = new Map(
  [...'013457@$!|€£'].map((sign, index) => [sign, 'oieastasiiel'[index] ?? ''] as const),
);

/** Maps text to one spelling per letter shape: "rn" looks like "m", "vv" like "w", and "l" like "i". */
const foldLetterShapes = (text: string, signMap: ReadonlyMap<string, string>): string =>
  Array.from(
    text.normalize('NFKD').replace(/\p{M}/gu, ''),
    (sign) => latinByLookalike.get(sign) ?? signMap.get(sign) ?? sign,
  )
    .join('')
    .toLowerCase()
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/l/g, 'i');

const noSigns = new Map<string, string>();
const splitWords = (folded: string): string[] => folded.match(/\p{L}+/gu) ?? [];
const toAlternation = (words: string): string => foldLetterShapes(words, noSigns).split(' ').join('|');

/**
 * Returns a function that checks whether a name could be mistaken for the product, the campus, their staff or a
 * verified badge. It compares the shapes of letters, so that look-alikes from other alphabets, digits in place of
 * letters and separated letters cannot hide an imitation.
 */
export const createImitationCheck = (
  campus: Pick<Campus, 'name' | 'siteName' | 'shortName'>,
): ((name: string) => boolean) => {
  const joinWords = (text: string): string =>
    splitWords(foldLetterShapes(text, letterByDigitOrSign)).join('');
  const campusName = joinWords(campus.name);
  const brandPattern = `${joinWords(campus.siteName)}|${joinWords(campus.shortName)}`;
  const [staffPattern = '', weakStaffPattern = '', memberPattern = '', fillerPattern = ''] = [
    staffWords,
    staffWordsNextToBrand,
    memberWords,
    fillerWords,
  ].map(toAlternation);
  const reserved = `${brandPattern}|${staffPattern}|${weakStaffPattern}`;
  const otherParts = `${reserved}|${memberPattern}`;
  /** Returns a pattern for words that consist of `part` and any number of `others`. */
  const composedWord = (part: string, others: string): RegExp =>
    new RegExp(`^(?:${others})*(?:${part})(?:${others})*$`, 'u');
  const productWord = composedWord(brandPattern, otherParts);
  const strongWord = composedWord(staffPattern, otherParts);
  const weakWord = composedWord(`${weakStaffPattern}|${memberPattern}`, otherParts);
  const reservedName = composedWord(reserved, `${otherParts}|${fillerPattern}`);
  return (name) =>
    [noSigns, letterByDigitOrSign].some((signMap) => {
      const words = splitWords(foldLetterShapes(name, signMap));
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
export const fullNameSchema = (campus: Campus) => {
  const isImitation = createImitationCheck(campus);
  return lineSchema({
    required: fullNameSentences.missing,
    min: { length: 1, sentence: fullNameSentences.missing },
    max: { length: 100, sentence: fullNameSentences.long },
  })
    .refine((name) => !pictographPattern.test(name) && !badgeLikeSymbol.test(name), {
      error: fullNameSentences.symbols,
      abort: true,
    })
    .refine((name) => /[\p{L}\p{N}]/u.test(name), { error: fullNameSentences.missing, abort: true })
    .refine((name) => !isImitation(name), fullNameSentences.imitation(campus));
};

/** Returns a name without the symbols and emoji that a full name cannot contain. */
export const removeSymbols = (name: string): string => {
  const pattern = new RegExp(`${pictographPattern.source}|${badgeLikeSymbol.source}`, 'gu');
  return name.replace(pattern, '');
};

/**
 * Returns the display name of a person who hides their full name: the part of the email address before the at-sign, or
 * 'User' when that part would not be accepted as a full name.
 */
export const nameFromAddress = (email: string, campus: Campus): string => {
  const [local = ''] = email.split('@');
  return fullNameSchema(campus).safeParse(local).success ? local : 'User';
};
