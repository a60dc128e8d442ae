// The blocks of Hebrew, Arabic and the other scripts that are written from right to left.
const rightToLeftLetters = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * Returns a text that somebody wrote for use within a sentence: a text with right-to-left letters is enclosed in direction
 * isolates (FSI and PDI, UAX #9), so that it and the words around it are read in order. Use it where a sentence is a
 * string; elements have `<bdi>` and `dir="auto"` instead.
 */
export const isolateDirection = (text: string): string =>
  rightToLeftLetters.test(text) ? `\u2068${text}\u2069` : text;
