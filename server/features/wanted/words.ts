import { separateIsbns } from '#contract/isbn.ts';
import { toSearchedText } from '#server/features/listings/sql.ts';

/** Words of titles that say nothing about the thing that is wanted. */
const fillers = new Set(
  'a an and any anyone buy can for from find get have i in is it looking me my need needed of on one or please sell selling some somebody someone that the this to used want wanted wanting with wtb iso'.split(
    ' ',
  ),
);

const maxWords = 8;

/**
 * Returns the words that a listing must contain to match a wanted post with this title, each as saved searches store a
 * search text. If a title has fillers only, they count.
 */
export const listWantedWords = (title: string): string[] => {
  const words = separateIsbns(title)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((word) => {
      const searched = toSearchedText(word);
      return searched ? [searched.exactText ?? searched.text] : [];
    });
  const telling = words.filter((word) => !fillers.has(word));
  return [...new Set(telling.length > 0 ? telling : words)].slice(0, maxWords);
};
