import { toAsciiDigits } from './digits.ts';
import { latinLetterByHomoglyph } from './homoglyphs.ts';
import { foldText } from './search-text.ts';

/** Where tickets are in a stadium, as their seller typed it. */
export interface SeatPlace {
  section: string | null;
  seat_row: string | null;
  seats: string | null;
}

/** Longer ranges are compared as they are written. A text may have several ranges, so it can name thousands of seats. */
const maxSeatsInRange = 500;

/** Matches the words before a number, as in "Sec. 12", "Section12" and "Row #B". */
const seatWords = /(?<![a-z])(?:sections?|sect?|rows?|seats?)(?![a-z])|[.#:]/g;
/** Matches a letter and the number that belongs to it, as in "12 A", or in "A 12" if the text begins so. */
const numberThenLetter = /(?<=\d) (?=[a-z]\b)/g;
const letterThenNumber = /(?<=\b[a-z]) (?=\d)/g;

/** Returns a text in lower case, with Latin letters for those that look like them and the digits 0 to 9. */
const fold = (text: string): string =>
  Array.from(toAsciiDigits(foldText(text)), (character) => latinLetterByHomoglyph.get(character) ?? character)
    .join('')
    .replace(/\p{Cf}/gu, '');

const normalizeText = (text: string | null): string =>
  fold(text ?? '')
    .replace(seatWords, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns a section, row or seat in the form in which two of them can be compared. */
const toKey = (text: string | null): string =>
  normalizeText(text)
    // A hyphen between two numbers separates them.
    .replace(/[^\p{L}\p{N}-]+|(?<!\d)-|-(?!\d)/gu, '')
    .replace(/(?<!\d)0+(?=\d)/g, '');

/** Returns the seats of a range such as "12-14", "a7-9" and "12a-14a", in either direction; of any other text itself. */
const expandRange = (part: string): string[] => {
  const [, prefix = '', first = '', suffix = '', lastPrefix = '', last = '', lastSuffix = ''] =
    /^([a-z]*)(\d{1,5})([a-z]?)-([a-z]*)(\d{1,5})([a-z]?)$/.exec(part) ?? [];
  const [from, to] = [Number(first), Number(last)].sort((a, b) => a - b) as [number, number];
  const isOneSide = (!lastPrefix || lastPrefix === prefix) && suffix === lastSuffix;
  if (!last || !isOneSide || to - from >= maxSeatsInRange) return [toKey(part)];
  return Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${from + index}${suffix}`);
};

/** Returns the seats of a text such as "12-14" or "12, 13 and 14", each once. General admission has none. */
export const listSeats = (text: string | null): string[] => {
  const normalized = normalizeText(text);
  if (/^(?:general admission|ga)?$/.test(normalized)) return [];
  const parts = normalized
    .replace(/^[a-z]\b/.test(normalized) ? letterThenNumber : numberThenLetter, '')
    .replace(/ ?(?:[-\p{Pd}\u2212]|\bto\b|\bthrough\b|\bthru\b) ?/gu, '-')
    .split(/ ?(?:[,;&+/]|\band\b) ?| /)
    .filter(Boolean);
  return [...new Set(parts.flatMap(expandRange).map(toKey))].filter(Boolean);
};

/**
 * Returns a function that returns which seats of one listing another one offers, too: none if the first has no section and
 * no row. It reads the first listing only once.
 */
export const createSharedSeatsFinder = (one: SeatPlace): ((other: SeatPlace) => string[]) => {
  const [section, row] = [toKey(one.section), toKey(one.seat_row)];
  const seats = section || row ? listSeats(one.seats) : [];
  return (other) => {
    if (seats.length === 0 || section !== toKey(other.section) || row !== toKey(other.seat_row)) return [];
    const others = new Set(listSeats(other.seats));
    return seats.filter((seat) => others.has(seat));
  };
};
