// Invisible characters that stay because a visible neighbor needs them. Patterns are built from parts and use the u
// flag; lookbehind is avoided for older browsers.
const emojiPart = String.raw`\p{Extended_Pictographic}(?:[\uFE0E\uFE0F]|\p{Emoji_Modifier})?`;
const emoji = String.raw`${emojiPart}(?:\u200D${emojiPart})*`;
const keycap = String.raw`[0-9#*]\uFE0F?\u20E3`;
/** England, Scotland and Wales: the only flags of the standard set that are spelled in tag characters. */
const subdivisionFlag = String.raw`\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}`;
/** Scripts whose letters change their form at a joiner (RFC 5892, appendix A). */
const joiningScripts = [
  ...['Arab', 'Syrc', 'Mand', 'Nkoo', 'Adlm', 'Rohg', 'Mong'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'],
  ...['Khmr', 'Mymr', 'Tibt', 'Java', 'Bali', 'Newa', 'Sund'],
];
const joiningLetter = String.raw`(?=[\p{L}\p{M}])(?!\p{Default_Ignorable_Code_Point})[${joiningScripts.map((it) => String.raw`\p{Script_Extensions=${it}}`).join('')}]`;
const joined = String.raw`${joiningLetter}(?:\u200D|\u200C(?=${joiningLetter}))`;

// Default_Ignorable_Code_Point holds zero-width characters, direction controls, soft hyphens, fillers, variation
// selectors and tags (Unicode Standard, section 5.21). The others are rendered as nothing, too: C1 controls, interlinear
// annotations and the placeholder of a lost object, an empty musical note, half of a surrogate pair.
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\u0080-\u0084\u0086-\u009F\uFFF9-\uFFFC\u{1D159}\p{Surrogate}]`;

const anyInvisible = new RegExp(invisible, 'u');
const keptOrInvisible = new RegExp(`(${subdivisionFlag}|${emoji}|${keycap}|${joined})|${invisible}`, 'gu');

/**
 * Returns the text without invisible characters and those that change the direction of the surrounding text. Emoji
 * sequences keep their joiners and selectors, and so do scripts that are written with joiners (Persian, Hindi).
 */
export const withoutInvisible = (text: string): string => {
  // A Braille cell without dots looks like a space but is not one.
  const spaced = text.replaceAll('\u2800', ' ');
  return anyInvisible.test(spaced) ? spaced.replace(keptOrInvisible, '$1') : spaced;
};
