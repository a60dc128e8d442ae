import type { Campus, CampusMoney } from './campus.ts';
import type { CategoryColumn, CategoryColumns } from './category-fields.ts';
import { formatPercent } from './number-format.ts';
import { formatAmount, getPriceDecimals } from './prices.ts';

export const ticketErrorMessages = {
  faceValueRequired: 'Enter the face value: it limits the price of tickets here',
  faceValueUnknown: 'The seller has to add the face value of the tickets first',
} as const;

/** The fields that only listings of tickets have. Gear may name its game or event, too, and say how it changes hands. */
export const ticketColumns = [
  'section',
  'seat_row',
  'seats',
  'ticket_count',
  'ticket_sale',
  'face_value',
] as const satisfies readonly CategoryColumn[];

/** The values of these fields, which are missing in submissions of earlier versions. */
export type TicketValues = Partial<Pick<CategoryColumns, (typeof ticketColumns)[number]>>;

/** The fields of a listing that tell whether it offers tickets, and at which face value. */
export type TicketFacts = TicketValues & { category: string | null; title: string | null };

// What PostgreSQL with its built-in locale counts as a part of a word: `\m` and `\M` in private.offers_tickets.
const wordStart = String.raw`(?<![\p{Alphabetic}\d_])`;
const wordEnd = String.raw`(?![\p{Alphabetic}\d_])`;
const ticketPattern = new RegExp(
  `(?<!${wordStart}(?:parking|tailgate) )${wordStart}(?:tickets?|tix)${wordEnd}`,
  'u',
);
const placePattern = new RegExp(`${wordStart}(?:parking|tailgates?|tailgating)${wordEnd}`, 'u');
const seatPattern = new RegExp(`${wordStart}seats?${wordEnd}`, 'u');

/** The fields that also tell where a parking space or a tailgate is. */
const placeColumns: readonly CategoryColumn[] = ['section', 'seat_row', 'seats'];

/**
 * Returns whether a listing offers tickets: a Game Day listing with a field that only tickets have, or whose title says so.
 * Gear is no ticket, nor are parking and tailgates, which may have a section, a row and seats, but which count as tickets if
 * their title also names tickets or seats.
 */
export const isTicketListing = ({ category, title, ...values }: TicketFacts): boolean => {
  if (category !== 'game-day') return false;
  // The flag `i` and toLowerCase change letters that PostgreSQL does not, such as 'ſ' and 'İ'.
  const text = (title ?? '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (ticketPattern.test(text)) return true;
  const isPlace = placePattern.test(text) && !seatPattern.test(text);
  return ticketColumns.some(
    (column) => (values[column] ?? null) !== null && !(isPlace && placeColumns.includes(column)),
  );
};

/** The parts of a campus that limit the price of tickets. */
export type TicketCampus = CampusMoney & Pick<Campus, 'ticketPriceCap'>;

/** Returns whether the price of a listing is limited by the face value of its tickets, which it then must have. */
export const isTicketPriceCapped = ({ ticketPriceCap }: TicketCampus, listing: TicketFacts): boolean =>
  ticketPriceCap !== undefined && isTicketListing(listing);

/**
 * Returns the highest price at which tickets of this face value may be resold, rounded down to the smallest unit of the
 * currency, or undefined when there is no cap.
 */
export const findHighestTicketPrice = (campus: TicketCampus, faceValue: number): number | undefined => {
  const { ticketPriceCap: percentage } = campus;
  if (percentage === undefined) return undefined;
  const unitsOfPrice = 10 ** getPriceDecimals(campus);
  return Math.floor((Math.round(faceValue * unitsOfPrice) * percentage) / 100) / unitsOfPrice;
};

/** Returns the message about a price above the cap. */
export const formatHighestTicketPrice = (campus: TicketCampus, price: number): string => {
  const { ticketPriceCap: percentage } = campus;
  const limit =
    percentage === undefined || percentage === 100 ? '' : `up to ${formatPercent(campus, percentage)} of `;
  return `At most ${formatAmount(campus, price)}: tickets are resold at ${limit}face value here`;
};

/** An error message about the price of tickets, and the form field that it belongs to. */
export interface TicketPriceProblem {
  field: 'price' | 'faceValue';
  message: string;
}

/** Returns what is wrong with the price of tickets, or undefined when it is allowed. */
export const findCapProblem = (
  campus: TicketCampus,
  { face_value: faceValue, price }: Pick<TicketValues, 'face_value'> & { price: number | null },
): TicketPriceProblem | undefined => {
  if (campus.ticketPriceCap === undefined) return undefined;
  if ((faceValue ?? null) === null)
    return { field: 'faceValue', message: ticketErrorMessages.faceValueRequired };
  const highest = findHighestTicketPrice(campus, faceValue ?? 0);
  return highest !== undefined && (price ?? 0) > highest
    ? { field: 'price', message: formatHighestTicketPrice(campus, highest) }
    : undefined;
};

/** Returns what is wrong with the price of a listing that is published, or undefined when the price is allowed. */
export const findTicketPriceProblem = (
  campus: TicketCampus,
  listing: TicketFacts & { price: number | null },
): TicketPriceProblem | undefined => (isTicketListing(listing) ? findCapProblem(campus, listing) : undefined);
