// These patterns match sequences whose invisible characters are kept, because they change how the characters
// next to them are displayed. All patterns are parts of one regular expression with the u flag. They avoid
// lookbehind, which older browsers do not support.
const emojiPartPattern = String.raw`\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})?`;
const emojiPattern = String.raw`${emojiPartPattern}(?:\u200D${emojiPartPattern})*`;
const keycapPattern = String.raw`[0-9#*]\uFE0F?\u20E3`;
/** The flags of England, Scotland and Wales, the only standard flags that are encoded with tag characters. */
const subdivisionFlagPattern = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`;
/**
 * Scripts (ISO 15924 codes) whose letters change their shape next to a joiner character (RFC 5892, appendix
 * A).
 */
const joiningScriptPatterns = [
  String.raw`\p{scx=Arab}\p{scx=Syrc}\p{scx=Mand}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Mong}`,
  String.raw`\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}`,
  String.raw`\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}`,
  String.raw`\p{scx=Bali}\p{scx=Newa}\p{scx=Sund}`,
];
const joiningLetterPattern = String.raw`(?=[\p{L}\p{M}])(?!\p{Default_Ignorable_Code_Point})[${joiningScriptPatterns.join('')}]`;
const joinedLettersPattern = String.raw`${joiningLetterPattern}(?:\u200D|\u200C(?=${joiningLetterPattern}))`;

// The Unicode property Default_Ignorable_Code_Point contains zero-width characters, direction controls, soft
// hyphens, fillers, variation selectors and tags (Unicode Standard, section 5.21). The other characters in
// this pattern are invisible, too: C1 controls, interlinear annotations, the object replacement character,
// the null notehead and unpaired surrogates.
const invisiblePattern = String.raw`[\p{Default_Ignorable_Code_Point}\u0080-\u0084\u0086-\u009F\uFFF9-\uFFFC\u{1D159}\p{Surrogate}]`;

const invisibleRegExp = new RegExp(invisiblePattern, 'u');
const keptSequenceOrInvisibleRegExp = new RegExp(
  `(${subdivisionFlagPattern}|${emojiPattern}|${keycapPattern}|${joinedLettersPattern})|${invisiblePattern}`,
  'gu',
);

/**
 * Returns the text without invisible characters and without characters that change the direction of the surrounding
 * text. Joiners and selectors stay in emoji sequences and in scripts that need joiners (such as Persian and Hindi).
 */
export const removeInvisibleCharacters = (text: string): string => {
  // U+2800 is a Braille cell without dots; it looks like a space, so it is replaced with one.
  const spaced = text.replaceAll('\u2800', ' ');
  return invisibleRegExp.test(spaced) ? spaced.replace(keptSequenceOrInvisibleRegExp, '$1') : spaced;
};
