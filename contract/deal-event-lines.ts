import { z } from 'zod';
import type { CampusFormats, CampusLocale, CampusTimes } from './campus.ts';
import { type CategoryColumn, categoryFieldEntries } from './category-fields.ts';
import { getDateFormat } from './date-format.ts';
import { type DealParty, dealKinds, dealParties, dealStates } from './deal-states.ts';
import {
  type DealTransition,
  type DealTransitionName,
  type DealTransitionSentences,
  dealTransitions,
} from './deal-transitions.ts';
import { formatPrice } from './prices.ts';
import {
  type DealRentalPeriod,
  formatRentalEnd,
  formatRentalPeriod,
  rentalTimeFields,
} from './rental-times.ts';
import { type SaleOutcome, saleConfirmationDays, saleOutcomes } from './selling.ts';
import { idSchema, instantSchema } from './text.ts';
import { isolateDirection } from './text-direction.ts';

const transitionNames = [...new Set(dealTransitions.map(({ name }) => name))] as [
  DealTransitionName,
  ...DealTransitionName[],
];
export const dealTransitionNameSchema = z.enum(transitionNames);
export const dealPartySchema = z.enum(dealParties);

/** Maximum number of alternative times in a proposal for the handover. */
export const maxProposedTimes = 3;

/** The reasons for which the server ends a deal, each with the sentence that the parties see. */
export const dealEndCauses = {
  sold: 'the item was sold to somebody else.',
  given_away: 'the item was given to somebody else.',
  rented: 'the item was rented to somebody else.',
  marked_for_buyer: 'the seller marked the item as gone to the buyer.',
  days_over: 'the days are over.',
  passed: 'the game has passed.',
  withdrawn: 'the listing was withdrawn.',
  taken_down: 'the listing was taken down.',
  account: 'one of the accounts is no longer active.',
  // The sentence is the same for a suspended and for a blocked person, so that nobody learns that they were
  // blocked.
  contact: 'the two of you can’t contact each other right now.',
} as const;
export type DealEndCause = keyof typeof dealEndCauses;

/**
 * The data of an event line (a message that the server adds to a conversation) about a transition of a deal:
 * the transition, and the deal after it. All event lines of a deal together record its whole history.
 */
export const dealEventLineSchema = z.object({
  deal_id: idSchema,
  /** Number of the transition in its deal: 1, 2, 3, … without gaps. */
  number: z.int(),
  transition: dealTransitionNameSchema,
  /** The party that acted, or null when a deadline passed or the server ended the deal. */
  by: dealPartySchema.nullable(),
  kind: z.enum(dealKinds),
  /** The state of the deal before the transition, or null when the transition started the deal. */
  from: z.enum(dealStates).nullable(),
  state: z.enum(dealStates),
  turn: dealPartySchema.nullable(),
  /** The offered or agreed price. Null for a sale that the buyer confirmed without having made an offer. */
  price: z.number().nullable(),
  first_day: z.iso.date().nullable(),
  last_day: z.iso.date().nullable(),
  ...rentalTimeFields,
  /**
   * The new last day that the renter has asked for, or null when there is no unanswered request for more
   * time.
   */
  requested_last_day: z.iso.date().nullable(),
  /** The price for the days after the last one that was proposed or agreed. Absent if there is none. */
  extra_price: z.number().optional(),
  deadline_at: instantSchema.nullable(),
  /** Where the parties meet: the name of a meeting spot, or free text. */
  place: z.string().nullable(),
  /** How to find the meeting spot. Absent for other places, and in lines of earlier versions. */
  landmark: z.string().optional(),
  times: z.array(instantSchema).max(maxProposedTimes),
  /** The agreed time of the handover, or null until one is agreed. */
  time: instantSchema.nullable(),
  /** Why a party cancelled the deal, in that party's own words. */
  reason: z.string().nullable(),
  /** Why the server ended the deal, or null when it did not. */
  cause: z.enum(Object.keys(dealEndCauses) as [DealEndCause, ...DealEndCause[]]).nullable(),
});
export type DealEventLine = z.infer<typeof dealEventLineSchema>;

/** Returns a label as it is within a sentence: 'face value', but 'ISBN'. */
const lowerFirstWord = (label: string): string =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;

/**
 * The words for the fields of a listing in event lines. Such a line tells buyers with an open deal that the
 * owner changed one of these fields.
 */
export const listingChangeLabels = {
  title: 'title',
  price: 'price',
  condition: 'condition',
  location: 'location',
  game_date: 'game date',
  ...(Object.fromEntries(
    categoryFieldEntries.map(([, { column, label }]) => [column, lowerFirstWord(label)]),
  ) as Record<CategoryColumn, string>),
  description: 'description',
  photos: 'photos',
} as const;
export type ListingChangeField = keyof typeof listingChangeLabels;

/**
 * The data of an event line which records that the owner edited a listing while a deal about it was open.
 * Editing is not a transition of the deal: the offer stays the same.
 */
export const listingChangeLineSchema = z.object({
  deal_id: idSchema,
  listing_changes: z
    .array(
      z.object({
        field: z.enum(Object.keys(listingChangeLabels) as [ListingChangeField, ...ListingChangeField[]]),
        /**
         * The old and the new value as text, or null for descriptions and photos, which are too long for an
         * event line.
         */
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    )
    .min(1)
    .max(Object.keys(listingChangeLabels).length),
});
export type ListingChangeLine = z.infer<typeof listingChangeLineSchema>;
export type ListingChange = ListingChangeLine['listing_changes'][number];

/**
 * The data of an event line which records that the owner of a listing named the buyer in the conversation as
 * the person who got the item. There may be no deal between them.
 */
export const saleQuestionLineSchema = z.object({
  sale_outcome: z.enum(saleOutcomes),
  /** Always empty. Scripts of version 0.5 read this list of every line that records no transition. */
  listing_changes: z.tuple([]),
});
export type SaleQuestionLine = z.infer<typeof saleQuestionLineSchema>;

/**
 * The data of an event line, which records a transition of a deal, a change to its listing, or a sale that the
 * buyer has to confirm.
 */
export const eventLineSchema = z.union([
  dealEventLineSchema,
  listingChangeLineSchema,
  saleQuestionLineSchema,
]);
export type EventLine = z.infer<typeof eventLineSchema>;

/**
 * Returns the transition of a deal that an event line records, or undefined when the line records something
 * else.
 */
export const findRecordedTransition = (line: EventLine | null): DealEventLine | undefined =>
  line && 'transition' in line ? line : undefined;

/** Returns the id of the deal that an event line is about, or undefined for the question about a sale without a deal. */
export const findDealIdOfLine = (line: EventLine | null): string | undefined =>
  line && 'deal_id' in line ? line.deal_id : undefined;

/**
 * The person who will read a sentence: a party of the deal, or `anyone` for sentences in emails, exports and
 * older clients.
 */
export type DealSentenceAudience = DealParty | 'anyone';

/** Formats a time (ISO 8601) in the campus time zone, as in 'Mon, Nov 23, 5:30 PM'. */
export const formatCampusTime = (instant: string, { timezone, locale }: CampusTimes): string =>
  getDateFormat(locale, {
    timeZone: timezone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(instant));

/** Formats a calendar day (YYYY-MM-DD), as in 'Oct 5'; returns an empty string unchanged. */
export const formatDay = (day: string, { locale }: CampusLocale): string =>
  day &&
  getDateFormat(locale, { timeZone: 'UTC', month: 'short', day: 'numeric' }).format(
    new Date(`${day}T00:00:00Z`),
  );

/**
 * Returns the terms of an offer as text: '$110', or for a rental '$60 for Oct 1 to Oct 5',
 * with times if it has any. Returns an empty text when the price is unknown.
 */
export const formatDealTerms = (
  { price, ...period }: Pick<DealEventLine, 'price'> & DealRentalPeriod,
  campus: CampusFormats,
): string => {
  if (price === null) return '';
  const days = formatRentalPeriod(period, campus);
  const amount = formatPrice(campus, price);
  return days ? `${amount} for ${days}` : amount;
};

const findLineTransition = ({
  transition: name,
  kind,
  from,
  by,
}: DealEventLine): DealTransition | undefined =>
  dealTransitions.find(
    (transition: DealTransition) =>
      transition.name === name &&
      transition.from.includes(from) &&
      (transition.kinds ?? dealKinds).includes(kind) &&
      (by === null || transition.by === by || !['buyer', 'seller'].includes(transition.by)),
  );

const chooseSentence = (
  sentences: DealTransitionSentences,
  reader: DealSentenceAudience,
  by: DealParty | null,
): string => {
  if (reader === 'anyone') return sentences.neutral;
  if ('buyer' in sentences) return sentences[reader];
  return reader === by ? sentences.actor : sentences.other;
};

/**
 * Returns the sentence of an event line about a transition, worded for the given reader. `otherName` is the
 * display name of the other party. Times are in campus time.
 */
export const formatDealEventLine = (
  line: DealEventLine,
  reader: DealSentenceAudience,
  { otherName, campus }: { otherName: string; campus: CampusFormats },
): string => {
  const values: Record<string, string> = {
    name: isolateDirection(otherName),
    by: line.by === 'seller' ? 'The seller' : 'The buyer',
    terms: formatDealTerms(line, campus),
    deadline: line.deadline_at ? formatCampusTime(line.deadline_at, campus) : '',
    place: [line.place ?? '', line.landmark]
      .filter((text) => text !== undefined)
      .map(isolateDirection)
      .join(', '),
    times: line.times.map((time) => formatCampusTime(time, campus)).join(' · '),
    time: line.time ? formatCampusTime(line.time, campus) : '',
    last_day: formatRentalEnd({ ...line, last_day: line.requested_last_day ?? line.last_day }, campus),
    extra_price: line.extra_price === undefined ? '' : formatPrice(campus, line.extra_price),
    reason: isolateDirection(line.reason ?? ''),
    cause: line.cause ? dealEndCauses[line.cause] : '',
  };
  const transition = findLineTransition(line);
  const sentence = transition ? chooseSentence(transition.sentences, reader, line.by) : '';
  return sentence.replace(/\{(\w+)\}/g, (_, word: string) => values[word] ?? '').trim();
};

const listFormat = new Intl.ListFormat('en');

/**
 * Returns the sentence of an event line about an edited listing, as in 'The listing changed: price $110 →
 * $90.'
 */
export const formatListingChanges = (changes: readonly ListingChange[]): string => {
  const values: string[] = [];
  const others: string[] = [];
  for (const { field, before, after } of changes) {
    const label = listingChangeLabels[field];
    if (before !== null && after !== null)
      values.push(`${label} ${isolateDirection(before)} → ${isolateDirection(after)}`);
    else others.push(`the ${label}`);
  }
  const sentences = values.length > 0 ? [`The listing changed: ${values.join(', ')}.`] : [];
  if (others.length > 0) {
    const list = listFormat.format(others);
    sentences.push(`${list.charAt(0).toUpperCase()}${list.slice(1)} changed.`);
  }
  return sentences.join(' ');
};

const saleVerbs: Record<SaleOutcome, string> = { sold: 'sold', given_away: 'given', rented: 'rented' };

/**
 * Returns the sentence of an event line about a sale that the buyer has to confirm. `isSaleAsked` is false when the
 * buyer can no longer confirm it.
 */
export const formatSaleQuestion = (
  { sale_outcome: outcome }: SaleQuestionLine,
  reader: DealSentenceAudience,
  { otherName, isSaleAsked = true }: { otherName: string; isSaleAsked?: boolean },
): string => {
  const name = isolateDirection(otherName);
  const marked = `marked this as ${saleVerbs[outcome]} to`;
  const period = `within ${saleConfirmationDays} days`;
  if (reader === 'buyer')
    return `${name} ${marked} you.${isSaleAsked ? ` You can confirm it ${period}.` : ''}`;
  return reader === 'seller'
    ? `You ${marked} ${name}.`
    : `The seller ${marked} the buyer, who can confirm it ${period}.`;
};

/**
 * Returns the sentence of an event line, worded for the given reader. `isSaleAsked` is whether the buyer can still
 * confirm a sale.
 */
export const formatEventLine = (
  line: EventLine,
  reader: DealSentenceAudience,
  options: { otherName: string; campus: CampusFormats; isSaleAsked?: boolean },
): string => {
  if ('transition' in line) return formatDealEventLine(line, reader, options);
  if ('sale_outcome' in line) return formatSaleQuestion(line, reader, options);
  // The server may be newer than this script and send other lines.
  return 'listing_changes' in line ? formatListingChanges(line.listing_changes) : '';
};
