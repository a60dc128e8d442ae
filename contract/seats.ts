/** Where tickets are in a stadium, as their seller typed it. */
export interface SeatPlace {
  section: string | null;
  seat_row: string | null;
  seats: string | null;
}

/** Longer ranges are not expanded, because nobody sells so many seats at once. */
const maxSeatsInRange = 50;

const seatWords = /\b(?:sections?|sect?|rows?|seats?)\b|[.#:]/g;

const normalizeText = (text: string | null): string =>
  (text ?? '').normalize('NFKC').toLowerCase().replace(seatWords, ' ').replace(/\s+/g, ' ').trim();

/** Returns a section or row in the form in which two of them can be compared. */
const toKey = (text: string | null): string =>
  normalizeText(text)
    .replace(/\s+/g, '')
    .replace(/^0+(?=\d)/, '');

const expandRange = (part: string): string[] => {
  const [, prefix = '', first = '', lastPrefix = '', last = ''] =
    /^([a-z]*)(\d{1,5})-([a-z]*)(\d{1,5})$/.exec(part) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (!last || (lastPrefix && lastPrefix !== prefix) || to < from || to - from >= maxSeatsInRange)
    return [toKey(part)];
  return Array.from({ length: to - from + 1 }, (_, index) => `${prefix}${from + index}`);
};

/** Returns the seats of a text such as "12-14" or "12, 13 and 14", each once. General admission has none. */
export const listSeats = (text: string | null): string[] => {
  const normalized = normalizeText(text);
  if (/^(?:general admission|ga)?$/.test(normalized)) return [];
  const parts = normalized
    .replace(/ ?(?:[-–—]|\bto\b|\bthrough\b) ?/g, '-')
    .split(/ ?(?:[,;&+/]|\band\b) ?| /)
    .filter(Boolean);
  return [...new Set(parts.flatMap(expandRange).map(toKey))];
};

/** Returns the seats that two listings both offer, apart from those without a section and a row. */
export const findSharedSeats = (one: SeatPlace, other: SeatPlace): string[] => {
  const [section, row] = [toKey(one.section), toKey(one.seat_row)];
  if (!section && !row) return [];
  if (section !== toKey(other.section) || row !== toKey(other.seat_row)) return [];
  const others = new Set(listSeats(other.seats));
  return listSeats(one.seats).filter((seat) => others.has(seat));
};
