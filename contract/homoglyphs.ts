// Letters that look like Latin letters. Each pair consists of a text of homoglyphs and a text of the Latin
// letters that they resemble, in the same order. The homoglyphs are Cyrillic, Greek, Armenian, Cherokee and
// Lisu letters, small capitals, and other letters of the Latin script. Full-width, mathematical and accented
// letters are not listed, because NFKD normalization converts them.
const homoglyphPairs: [string, string][] = [
  ['авсԁеһіјкӏмпорԛгѕтцѵԝхуӀАВСЕНІЈКМОРԚЅТѴԜХУ', 'abcdehijkimnopqrstuvwxyiabcehijkmopqstvwxy'],
  ['αβεηικμνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abenikmvoptuxwabezhikmnoptyx'],
  ['սօոհցքԼՏՍՕ', 'uonhgqlsuo'],
  ['ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷΝᎤᏢᏒᏚᎢᏙᎳᎩᏃ', 'abcdeghijklmnoprstvwyz'],
  ['ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ', 'abcdefghijklmnoprstuvwxyz'],
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnopqrstuvwyz'],
  ['ıɩɑɡɾʋøđłħŧɛɔ', 'iiagrvodlhtec'],
];
/** Maps each homoglyph to the Latin letter that it resembles. */
export const latinLetterByHomoglyph: ReadonlyMap<string, string> = new Map(
  homoglyphPairs.flatMap(([from, to]) =>
    [...from].map((letter, index) => [letter, to[index] ?? ''] as const),
  ),
);
/** Maps digits and signs to the Latin letters that they replace in spellings such as 'n1ke' or 'ca$h'. */
export const letterByLeetSymbol: ReadonlyMap<string, string> = new Map(
  [...'013457@$!|€£'].map((sign, index) => [sign, 'oieastasiiel'[index] ?? ''] as const),
);
