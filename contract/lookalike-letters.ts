// Letters that look like Latin letters. Each pair contains such letters and the Latin letters that
// they resemble, in the same order. The pairs are: Cyrillic, Greek, Armenian, Cherokee, Lisu, small
// capitals, and other letters of the Latin script. Full-width, mathematical and accented letters
// are not listed because NFKD normalizes them.
const lookalikeLetterPairs: [string, string][] = [
  ['авсԁеһіјкӏмпорԛгѕтцѵԝхуӀАВСЕНІЈКМОРԚЅТѴԜХУ', 'abcdehijkimnopqrstuvwxyiabcehijkmopqstvwxy'],
  ['αβεηικμνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'abenikmvoptuxwabezhikmnoptyx'],
  ['սօոհցքԼՏՍՕ', 'uonhgqlsuo'],
  ['ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷΝᎤᏢᏒᏚᎢᏙᎳᎩᏃ', 'abcdeghijklmnoprstvwyz'],
  ['ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ', 'abcdefghijklmnoprstuvwxyz'],
  ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnopqrstuvwyz'],
  ['ıɩɑɡɾʋøđłħŧɛɔ', 'iiagrvodlhtec'],
];
/** The Latin letter that a letter of another alphabet looks like. */
export const latinLetterByLookalike: ReadonlyMap<string, string> = new Map(
  lookalikeLetterPairs.flatMap(([from, to]) =>
    [...from].map((letter, index) => [letter, to[index] ?? ''] as const),
  ),
);
/** The letter that a digit or sign looks like, as in 'n1ke' or 'ca$h'. */
export const letterByDigitOrSign: ReadonlyMap<string, string> = new Map(
  [...'013457@$!|€£'].map((sign, index) => [sign, 'oieastasiiel'[index] ?? ''] as const),
);
