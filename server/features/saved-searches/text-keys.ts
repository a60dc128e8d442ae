/** Maximum length of a key in characters (code points). */
const maxKeyLength = 3;

/** Returns all substrings of a text that have exactly `length` characters. */
const listPieces = (characters: readonly string[], length: number): string[] =>
  Array.from({ length: characters.length - length + 1 }, (_, start) =>
    characters.slice(start, start + length).join(''),
  );

/**
 * Returns the key of a search with this text: the substring of three characters that the fewest
 * texts of the sample contain, or the whole text when it is shorter. A rare key means that a
 * listing is compared with few searches that do not match it.
 */
export const chooseTextKey = (text: string, sample: readonly string[]): string => {
  const characters = [...text];
  const pieces = new Set(listPieces(characters, Math.min(maxKeyLength, characters.length)));
  const counted = [...pieces].map((piece) => ({
    piece,
    count: sample.filter((searched) => searched.includes(piece)).length,
  }));
  return counted.reduce((rarest, next) => (next.count < rarest.count ? next : rarest)).piece;
};

/** Returns the keys of all searches whose text is contained in one of these texts. */
export const listTextKeys = (texts: readonly string[]): string[] => {
  const lengths = Array.from({ length: maxKeyLength }, (_, index) => index + 1);
  return [
    ...new Set(
      texts.flatMap((text) => {
        const characters = [...text];
        return lengths.flatMap((length) => listPieces(characters, Math.min(length, characters.length)));
      }),
    ),
  ];
};
