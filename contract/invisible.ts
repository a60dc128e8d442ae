// Sequences in which invisible characters are kept, because a visible neighbor needs them. The patterns are built from
// parts and use the u flag; they avoid lookbehind, which older browsers do not support.
const emojiPart = String.raw`\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})?`;
const emoji = String.raw`${emojiPart}(?:\u200D${emojiPart})*`;
const keycap = String.raw`[0-9#*]\uFE0F?\u20E3`;
/** The flags of England, Scotland and Wales, the only standard flags that are encoded with tag characters. */
const subdivisionFlag = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`;
/** Scripts whose letters change their form at a joiner (RFC 5892, appendix A). */
const joiningScripts = [
  ...['Arab', 'Syrc', 'Mand', 'Nkoo', 'Adlm', 'Rohg', 'Mong'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'],
  ...['Khmr', 'Mymr', 'Tibt', 'Java', 'Bali', 'Newa', 'Sund'],
];
const joiningLetter = String.raw`(?=[\p{L}\p{M}])(?!\p{Default_Ignorable_Code_Point})[${joiningScripts.map((script) => String.raw`\p{Script_Extensions=${script}}`).join('')}]`;
const joinedLetters = String.raw`${joiningLetter}(?:\u200D|\u200C(?=${joiningLetter}))`;

// Default_Ignorable_Code_Point contains zero-width characters, direction controls, soft hyphens, fillers, variation
// selectors and tags (Unicode Standard, section 5.21). The other characters in this pattern are invisible too: C1
// controls, interlinear annotations, the object replacement character, the null notehead and unpaired surrogates.
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\u0080-\u0084\u0086-\u009F\uFFF9-\uFFFC\u{1D159}\p{Surrogate}]`;

const anyInvisible = new RegExp(invisible, 'u');
const keptOrInvisible = new RegExp(
  `(${subdivisionFlag}|${emoji}|${keycap}|${joinedLetters})|${invisible}`,
  'gu',
);

/**
 * Returns the text without invisible characters and without characters that change the direction of the surrounding
 * text. Joiners and selectors stay in emoji sequences and in scripts that need joiners (such as Persian and Hindi).
 */
export const removeInvisibleCharacters = (text: string): string => {
  // U+2800, a Braille cell without dots, looks like a space.
  const spaced = text.replaceAll('\u2800', ' ');
  return anyInvisible.test(spaced) ? spaced.replace(keptOrInvisible, '$1') : spaced;
};
