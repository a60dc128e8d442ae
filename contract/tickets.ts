import type { Campus, CampusMoney } from './campus.ts';
import { formatAmount, getPriceDecimals } from './prices.ts';

export const ticketErrorMessages = {
  faceValueRequired: 'Enter the face value: it limits the price of tickets here',
  faceValueUnknown: 'The seller has to add the face value of the tickets first',
} as const;

/** The fields of a listing that tell whether it offers tickets, and at which face value. */
export interface TicketFacts {
  category: string | null;
  title: string | null;
  /** Missing in submissions of earlier versions. */
  ticket_count?: number | null | undefined;
  face_value?: number | null | undefined;
}

const ticketPattern = /(?<!\b(?:parking|tailgate) )\b(?:tickets?|tix)\b/i;

/**
 * Returns whether a listing offers tickets: a Game Day listing with a number of tickets or a face value, or whose title
 * says so. Gear, tailgates and parking are not tickets.
 */
export const isTicketListing = ({ category, title, ticket_count, face_value }: TicketFacts): boolean =>
  category === 'game-day' &&
  ((ticket_count ?? null) !== null || (face_value ?? null) !== null || ticketPattern.test(title ?? ''));

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
  const limit = percentage === undefined || percentage === 100 ? '' : `up to ${percentage}% of `;
  return `At most ${formatAmount(campus, price)}: tickets are resold at ${limit}face value here`;
};

/**
 * Returns what is wrong with the price of a listing that is published, as an error message and the form field that it
 * belongs to, or undefined when the price is allowed.
 */
export const findTicketPriceProblem = (
  campus: TicketCampus,
  listing: TicketFacts & { price: number | null },
): { field: 'price' | 'faceValue'; message: string } | undefined => {
  if (!isTicketPriceCapped(campus, listing)) return undefined;
  if ((listing.face_value ?? null) === null)
    return { field: 'faceValue', message: ticketErrorMessages.faceValueRequired };
  const highest = findHighestTicketPrice(campus, listing.face_value ?? 0);
  return highest !== undefined && (listing.price ?? 0) > highest
    ? { field: 'price', message: formatHighestTicketPrice(campus, highest) }
    : undefined;
};
