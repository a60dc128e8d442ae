import { toIsbn10 } from '#contract/isbn.ts';
import { removeJoints } from '#contract/search-text.ts';

/** Maximum length of a key in characters (code points). */
const maxKeyLength = 3;

/** Returns all substrings of a text that have exactly `length` characters. */
const listPieces = (characters: readonly string[], length: number): string[] =>
  Array.from({ length: characters.length - length + 1 }, (_, start) =>
    characters.slice(start, start + length).join(''),
  );

/**
 * Returns the substrings of a folded text that can be its key: of the maximum length, or else as long as possible. They
 * contain no joint (space, hyphen or apostrophe) unless the text consists of joints, because a listing that matches may
 * have other joints.
 */
const listKeyCandidates = (text: string): string[] => {
  const runs = text.split(/[ '-]/).map((run) => [...run]);
  const parts = runs.some((run) => run.length > 0) ? runs : [[...text]];
  const length = Math.min(maxKeyLength, Math.max(...parts.map((part) => part.length)));
  return [...new Set(parts.flatMap((part) => (part.length < length ? [] : listPieces(part, length))))];
};

/**
 * Returns the substrings of a text that consists of an ISBN that can be its key. They are part of the ISBN itself, because a
 * listing of the book may have it without hyphens, or as an ISBN with another number of digits.
 */
const listIsbnKeyCandidates = (text: string, isbn: string): string[] => {
  const forms = [isbn, toIsbn10(isbn) ?? ''];
  const runs = text.match(/\d+/g) ?? [];
  const listCandidates = (length: number): string[] =>
    runs
      .filter((run) => run.length >= length)
      .flatMap((run) => listPieces([...run], length))
      .filter((piece) => forms.some((form) => form.includes(piece)));
  const lengths = Array.from({ length: maxKeyLength }, (_, index) => maxKeyLength - index);
  return lengths.map(listCandidates).find((candidates) => candidates.length > 0) ?? [];
};

/**
 * Returns the key of a search with this folded text: a substring of three characters, or of fewer if there is none, that
 * the fewest texts of the sample contain. A rare key means that a listing is compared with few searches that do not
 * match it. `isbn` is the ISBN that the text consists of.
 */
export const chooseTextKey = (text: string, sample: readonly string[], isbn?: string): string => {
  const candidates = isbn === undefined ? listKeyCandidates(text) : listIsbnKeyCandidates(text, isbn);
  const counted = candidates.map((piece) => ({
    piece,
    count: sample.filter((searched) => searched.includes(piece)).length,
  }));
  return counted.reduce((rarest, next) => (next.count < rarest.count ? next : rarest)).piece;
};

/** Returns the keys of all searches whose text, or a variant with another joint, is contained in one of these texts. */
export const listTextKeys = (texts: readonly string[]): string[] => {
  const lengths = Array.from({ length: maxKeyLength }, (_, index) => index + 1);
  return [
    ...new Set(
      texts.flatMap((text) =>
        [text, removeJoints(text)].flatMap((searched) => {
          const characters = [...searched];
          return lengths.flatMap((length) => listPieces(characters, Math.min(length, characters.length)));
        }),
      ),
    ),
  ];
};
