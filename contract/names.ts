import type { Campus } from './campus.ts';
import { line, pictograph } from './text.ts';

export const fullNameSentences = {
  missing: 'Please enter your full name',
  long: 'Full name must be at most 100 characters',
  symbols: 'Full name cannot contain emojis or check marks',
  imitation: ({ siteName, shortName }: Pick<Campus, 'siteName' | 'shortName'>) =>
    `Please use your own name: this one could be mistaken for ${siteName} or ${shortName} staff`,
} as const;

/** Symbols that could pass for a badge: dingbats, letters in circles, skin tones without an emoji, the root sign. */
const symbol = /[\p{So}\p{Emoji_Modifier}\u221A]/u;

/** Words that imply staff or certification in any context. */
const strong =
  'admin admins administrator administrators sysadmin moderator moderators support helpdesk webmaster postmaster noreply official verified';
/** Words that do so next to the name of the site or campus, or on their own. */
const weak =
  'mod mods staff team help desk service services security safety system office customer care account accounts billing police bot info';
/** Words that do so only next to the name of the site or campus. */
const member = 'student students alumni alum faculty';
const filler = 'the and campus university online real app site';

// Look-alikes of Latin letters in other alphabets, in order: Cyrillic, Greek, Armenian, Cherokee, Lisu, small capitals
// and other Latin letters. NFKD normalizes full-width, mathematical and accented letters.
const lookalikes: [string, string][] = [
  ['авсԁеһіјкӏмпорԛгѕтцѵԝхуӀАВСЕНІЈКМОРԚЅТѴԜХУ', 'abcdehijkimnopqrstuvwxyiabcehijkmopqstvwxy'],
  ['αβεηικμνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abenikmvoptuxwabezhikmnoptyx'],
  ['սօոհցքԼՏՍՕ', 'uonhgqlsuo'],
  ['ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷΝᎤᏢᏒᏚᎢᏙᎳᎩᏃ', 'abcdeghijklmnoprstvwyz'],
  ['ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ', 'abcdefghijklmnoprstuvwxyz'],
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnopqrstuvwyz'],
  ['ıɩɑɡɾʋøđłħŧɛɔ', 'iiagrvodlhtec'],
];
const latin = new Map(
  lookalikes.flatMap(([from, to]) => [...from].map((email, index) => [email, to[index] ?? ''] as const)),
);
const digits = new Map(
  [...'013457@$!|€£'].map((sign, index) => [sign, 'oieastasiiel'[index] ?? ''] as const),
);

const fold = (text: string, signs: ReadonlyMap<string, string>): string =>
  Array.from(text.normalize('NFKD').replace(/\p{M}/gu, ''), (it) => latin.get(it) ?? signs.get(it) ?? it)
    .join('')
    .toLowerCase()
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/l/g, 'i');

const none = new Map<string, string>();
const wordsOf = (folded: string): string[] => folded.match(/\p{L}+/gu) ?? [];
const anyOf = (words: string): string => fold(words, none).split(' ').join('|');

/**
 * Returns a function that checks whether a name could be mistaken for the product, the campus, their staff or the badge
 * of a verified person. It compares the shapes of letters, so that look-alikes of other alphabets, digits and separated
 * letters do not hide an imitation.
 */
export const imitationCheck = (
  campus: Pick<Campus, 'name' | 'siteName' | 'shortName'>,
): ((name: string) => boolean) => {
  const joinedWordsOf = (text: string): string => wordsOf(fold(text, digits)).join('');
  const campusName = joinedWordsOf(campus.name);
  const isProduct = `${joinedWordsOf(campus.siteName)}|${joinedWordsOf(campus.shortName)}`;
  const [isStrong = '', isWeak = '', isMember = '', isFiller = ''] = [strong, weak, member, filler].map(
    anyOf,
  );
  const reserved = `${isProduct}|${isStrong}|${isWeak}`;
  const beside = `${reserved}|${isMember}`;
  const holding = (part: string, others: string): RegExp =>
    new RegExp(`^(?:${others})*(?:${part})(?:${others})*$`, 'u');
  const productWord = holding(isProduct, beside);
  const strongWord = holding(isStrong, beside);
  const weakWord = holding(`${isWeak}|${isMember}`, beside);
  const nothingElse = holding(reserved, `${beside}|${isFiller}`);
  return (name) =>
    [none, digits].some((signs) => {
      const words = wordsOf(fold(name, signs));
      const joined = words.join('');
      const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
      return (
        nothingElse.test(joined) ||
        joined.includes(campusName) ||
        has(strongWord) ||
        (has(productWord) && has(weakWord))
      );
    });
};

/** Returns the schema of a full name: a line of at most 100 characters that imitates nobody. */
export const fullNameSchema = (campus: Campus) => {
  const imitates = imitationCheck(campus);
  return line({
    required: fullNameSentences.missing,
    min: { length: 1, sentence: fullNameSentences.missing },
    max: { length: 100, sentence: fullNameSentences.long },
  })
    .refine((name) => !pictograph.test(name) && !symbol.test(name), {
      error: fullNameSentences.symbols,
      abort: true,
    })
    .refine((name) => /[\p{L}\p{N}]/u.test(name), { error: fullNameSentences.missing, abort: true })
    .refine((name) => !imitates(name), fullNameSentences.imitation(campus));
};

/** Returns a name without the symbols and emoji that a full name cannot contain. */
export const withoutSymbols = (name: string): string => {
  const pattern = new RegExp(`${pictograph.source}|${symbol.source}`, 'gu');
  return name.replace(pattern, '');
};

/**
 * Returns the display name of a person who hides the full name: the part of the address before the at-sign, or 'User'
 * when that is not acceptable as a name.
 */
export const nameFromAddress = (email: string, campus: Campus): string => {
  const [local = ''] = email.split('@');
  return fullNameSchema(campus).safeParse(local).success ? local : 'User';
};
