// Scripts that put no spaces between words, their punctuation, and the wide forms of ASCII punctuation. The patterns avoid
// lookbehind, which older browsers do not support.
const unspacedLetters = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}`;
const wideMarks = String.raw`\u3000-\u303F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65`;
const separatingPattern = new RegExp(`(//)?[${unspacedLetters}${wideMarks}]+`, 'gu');

/**
 * Returns the text with spaces where a link can neither begin nor continue, at the same positions: instead of Chinese,
 * Japanese, Thai, Lao, Khmer and Burmese letters and of their punctuation, which follow a link without a space, and
 * instead of a bracket or a mark of emphasis (`*`, `_`, `~`) before a link. A host may begin with such letters.
 */
export const separateLinks = (text: string): string =>
  text
    .replace(separatingPattern, (run, slashes?: string) => (slashes ? run : ' '.repeat(run.length)))
    .replace(/[*_~](?=https?:\/\/|mailto:)/gi, ' ')
    .replace(/(^|\s)[[{]/g, '$1 ');
