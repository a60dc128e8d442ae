/** Maximum length of a key in characters (code points). */
const maxKeyLength = 3;

/** Returns the pieces of a text that have exactly `length` characters. */
const listPieces = (characters: readonly string[], length: number): string[] =>
  Array.from({ length: characters.length - length + 1 }, (_, start) =>
    characters.slice(start, start + length).join(''),
  );

/**
 * Returns the piece by which a search with this text is found: three characters, or the whole text when it is shorter. It
 * is the piece that the fewest texts of the sample contain, so that a listing is compared with few searches that do not find it.
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

/** Returns the keys of all searches whose text one of these texts contains. */
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
