import { z } from 'zod';
import type { CampusPrices } from './campus.ts';
import { messageTextSchema } from './conversations.ts';
import { dealPartySchema, dealTransitionNameSchema, maxProposedTimes } from './deal-event-lines.ts';
import { dealKinds, dealStates } from './deal-states.ts';
import { formatPriceMessages } from './listing-form.ts';
import { getMaxPrice, hasPriceDecimals } from './price-limits.ts';
import { publicUserSchema } from './profiles.ts';
import { rentalRulesSchema } from './rental-rules.ts';
import { createRentalTimeSchema, rentalPeriodSchema, rentalTimeFields } from './rental-times.ts';
import { saleOutcomes } from './selling.ts';
import { createSingleLineTextSchema, idSchema, instantSchema } from './text.ts';

/**
 * Limits of deals (deals.md, "Limits" and "Handover"). A buyer may start 5 deals about a listing in 7 days.
 */
export const maxDealsPerListing = { deals: 5, days: 7 } as const;
export const maxRentalDaysAhead = 180;
export const maxHandoverDaysAhead = 14;
export const meetingPlaceLength = { min: 1, max: 200 } as const;
export const cancellationReasonLength = { min: 1, max: 200 } as const;
export const dealPageSize = 30;
/** Maximum number of reserved periods shown on the page of an item for rent. */
export const maxListedReservedPeriods = 100;
/** Maximum number of waiting deals that the seller of a listing sees. The seller answers them in order. */
export const maxListedWaitingDeals = 100;
/** Maximum number of further deals for which a transition about the handover can be made at the same time. */
export const maxFurtherDeals = 9;
/** Maximum number of coming handovers in a person's list, which begins with the next one. */
export const maxListedHandovers = 50;

export const dealErrorMessages = {
  pricePositive: 'Price must be greater than 0',
  priceFirm: 'The price of this listing is firm',
  priceOfGift: 'This item is free, so there is no price to offer',
  days: 'Choose the first and the last day',
  dayPast: 'The first day must be today or later',
  dayFar: `Rental days can be at most ${maxRentalDaysAhead} days ahead`,
  dayOrder: 'The last day must not be before the first day',
  daysTaken: 'Some of these days are taken. Please choose other days',
  rentalTime: 'Choose a time in quarter hours, as in 2:15',
  timeOrder: 'The return must be after the pick-up',
  timeSkipped: 'The clocks skip this time on that day. Please choose another time',
  lastDaySkipped: 'The clocks skip the time of return on that day. Please choose another day',
  timePickup: 'This rental is handed over on its first day, after the time of pick-up',
  timeReturn: 'This rental is handed over before its time of return',
  daysOfSale: 'Only rentals have a first and a last day',
  categoryFixed: 'The category cannot change while somebody has an open deal about this item',
  drawFixed: 'This cannot change any more, because somebody has asked for the item',
  startedOften: `You have started ${maxDealsPerListing.deals} deals about this item in a week. Please wait before the next one`,
  lastDayPast: 'The new end must be later than now',
  lastDayLater: 'The new last day must be after the current one',
  place: 'Choose a meeting spot or describe the place',
  placeLong: 'The place must be at most 200 characters',
  times: `Suggest one to ${maxProposedTimes} times`,
  timePast: 'The times must be in the future',
  timeFar: `The times can be at most ${maxHandoverDaysAhead} days ahead`,
  timeOfRental: 'A rental is handed over on its first day or the day before',
  timeOfTickets:
    'Choose a time before the hold of the tickets ends, at the latest two hours before the day of the game',
  timeQuarter: 'Times are in quarter hours, as in 2:15',
  reason: 'Please give a reason',
  reasonLong: 'The reason must be at most 200 characters',
} as const;

/** Returns the error message for a buyer who has reached the account's limit of open offers. */
export const formatOpenOffersMessage = (limit: number): string =>
  `You have ${limit} open offers. Withdraw one before you make another`;

/** Returns the schema of the price that a buyer offers. */
export const createOfferedPriceSchema = (campus: CampusPrices) => {
  const { priceFormat, priceHigh, priceDecimals } = formatPriceMessages(campus);
  return z
    .number({ error: priceFormat })
    .gt(0, dealErrorMessages.pricePositive)
    .max(getMaxPrice(campus), priceHigh)
    .refine((value) => hasPriceDecimals(campus, value), priceDecimals);
};

// Zod accepts dates in the year 0000, but PostgreSQL rejects them, so this schema rejects them, too.
const daySchema = z.iso
  .date({ error: dealErrorMessages.days })
  .refine((day) => !day.startsWith('0000'), dealErrorMessages.days);

/**
 * Body of a call that starts a deal. Without `price`, the buyer offers the listing's price, or asks for a
 * free item.
 */
export const createStartDealSchema = (campus: CampusPrices) =>
  z.object({
    client_id: idSchema,
    listing_id: idSchema,
    price: createOfferedPriceSchema(campus).optional(),
    first_day: daySchema.optional(),
    last_day: daySchema.optional(),
    /** When the rental begins and ends on these days (HH:MM on campus). Omitted for whole days. */
    pickup_time: createRentalTimeSchema(dealErrorMessages.rentalTime).optional(),
    return_time: createRentalTimeSchema(dealErrorMessages.rentalTime).optional(),
    /** The text of a message that is sent to the seller with the offer. */
    message_text: messageTextSchema.optional(),
  });
export type StartDealBody = z.infer<ReturnType<typeof createStartDealSchema>>;

const proposedTimeSchema = instantSchema.refine(
  (time) => Date.parse(time) % (15 * 60 * 1000) === 0,
  dealErrorMessages.timeQuarter,
);

const withClientId = { client_id: idSchema };
const withFurtherDeals = {
  /**
   * Other deals on hold between the same two people, for which the same transition is made. Those for which it is not
   * possible (any more) are skipped.
   */
  also_for: z.array(idSchema).max(maxFurtherDeals).optional(),
};

/** Body of a call that makes a transition; its fields depend on the transition. */
export const createDealTransitionSchema = (campus: CampusPrices) =>
  z.discriminatedUnion('transition', [
    z.object({ ...withClientId, transition: z.literal('counter'), price: createOfferedPriceSchema(campus) }),
    z.object({
      ...withClientId,
      transition: z.literal('cancel'),
      reason: createSingleLineTextSchema({
        required: dealErrorMessages.reason,
        min: { length: cancellationReasonLength.min, sentence: dealErrorMessages.reason },
        max: { length: cancellationReasonLength.max, sentence: dealErrorMessages.reasonLong },
      }),
    }),
    z
      .object({
        ...withClientId,
        transition: z.literal('propose_handover'),
        spot_id: idSchema.nullish(),
        place: createSingleLineTextSchema({
          required: dealErrorMessages.place,
          min: { length: meetingPlaceLength.min, sentence: dealErrorMessages.place },
          max: { length: meetingPlaceLength.max, sentence: dealErrorMessages.placeLong },
        }).nullish(),
        times: z
          .array(proposedTimeSchema, { error: dealErrorMessages.times })
          .min(1, dealErrorMessages.times)
          .max(maxProposedTimes, dealErrorMessages.times),
        ...withFurtherDeals,
      })
      .refine(({ spot_id: spot, place }) => Boolean(spot) !== Boolean(place), {
        error: dealErrorMessages.place,
        path: ['place'],
      }),
    z.object({
      ...withClientId,
      transition: z.literal('agree_handover'),
      time: instantSchema,
      /**
       * The meeting place that the caller saw. If it is given and the proposal has since changed to another
       * place, the call fails.
       */
      place: z.string().max(meetingPlaceLength.max).optional(),
      ...withFurtherDeals,
    }),
    z.object({ ...withClientId, transition: z.literal('extend'), last_day: daySchema }),
    z.object({
      ...withClientId,
      transition: z.literal('propose_extra_price'),
      price: createOfferedPriceSchema(campus),
    }),
    z.object({
      ...withClientId,
      transition: z.enum([
        'accept',
        'decline',
        'withdraw',
        'agreed_in_chat',
        'keep_hold',
        'here',
        'running_late',
        'handed_over',
        'transferred',
        'received',
        'object',
        'report_no_show',
        'contest',
        'accept_extension',
        'decline_extension',
        'accept_extra_price',
        'decline_extra_price',
        'returned',
      ]),
    }),
  ]);
export type DealTransitionBody = z.infer<ReturnType<typeof createDealTransitionSchema>>;

const arrivalSchema = z.enum(['here', 'late']);

/** The place and time at which the parties of a deal meet. */
const handoverSchema = z.object({
  /** Id of the meeting spot, or null when the place is free text. */
  spot_id: idSchema.nullable(),
  /** Name of the meeting spot, or the free text that a party entered. */
  place: z.string(),
  /** How to find the meeting spot. Absent for other places, and in responses of earlier versions. */
  landmark: z.string().optional(),
  /** The agreed time, or null until a time is agreed. It stays valid while another time is being proposed. */
  time: instantSchema.nullable(),
  agreed: z.boolean(),
  /** What each party has said about its arrival at the agreed time. Absent in responses of earlier versions. */
  arrivals: z.object({ buyer: arrivalSchema.nullable(), seller: arrivalSchema.nullable() }).optional(),
  /** The latest proposal of place and times, or null when it has been answered. */
  proposal: z
    .object({
      spot_id: idSchema.nullable(),
      place: z.string(),
      landmark: z.string().optional(),
      times: z.array(instantSchema).max(maxProposedTimes),
      by: dealPartySchema,
    })
    .nullable(),
});

/** A deal as one of its parties sees it. */
export const dealSchema = z.object({
  id: idSchema,
  /** Id of the listing, or null when the listing was deleted. */
  listing_id: idSchema.nullable(),
  conversation_id: idSchema,
  /** Ids of the parties, or null when the account was deleted. */
  buyer_id: idSchema.nullable(),
  seller_id: idSchema.nullable(),
  /** The public profile of the other party, or null when that account was deleted. */
  other: publicUserSchema.nullable(),
  kind: z.enum(dealKinds),
  state: z.enum(dealStates),
  /** The party that has to answer the offer. */
  turn: dealPartySchema.nullable(),
  /** The title that the listing had when the deal was started. */
  title: z.string(),
  /**
   * The offered or agreed price in dollars; for a rental, the total. Null for a sale that the buyer only
   * confirmed, because Quad does not know its price.
   */
  price: z.number().nullable(),
  first_day: z.iso.date().nullable(),
  last_day: z.iso.date().nullable(),
  ...rentalTimeFields,
  deadline_at: instantSchema.nullable(),
  /** Whether the offer has to wait because the listing is on hold for somebody else or its draw is still open. */
  waiting: z.boolean(),
  /**
   * Position of an offer in the queue for a free item, from 1. Null for other deals, and until a draw has
   * decided the order.
   */
  position: z.int().nullable(),
  /** The closing time of the draw in which the offer takes part. Absent once the order has been drawn. */
  draw_closes_at: instantSchema.optional(),
  handover: handoverSchema.nullable(),
  /**
   * The new last day that the renter has asked for, or null when there is no unanswered request for more
   * time.
   */
  requested_last_day: z.iso.date().nullable(),
  /** The deposit that the listing of a rental asked for when the deal was started, if there is one. */
  deposit: z.number().optional(),
  /** For a rental that is late: the price for the extra days that the renter has to answer, if there is one. */
  requested_extra_price: z.number().optional(),
  /** The agreed price for the extra days of a rental that was late, if there is one. */
  extra_price: z.number().optional(),
  /** For a held rental: whether an earlier renter still has the item although their rental has ended. */
  item_overdue: z.boolean(),
  /**
   * How the seller has marked the item, such as sold, although it is still on hold: this can still be undone, or the
   * buyer has said that the handover did not happen. Absent otherwise.
   */
  marked_as: z.enum(saleOutcomes).optional(),
  /** Whether the deal is about tickets. Absent otherwise. */
  tickets: z.literal(true).optional(),
  /** Whether a rental has photos of the item's condition (`listRentalPhotos`). Absent otherwise. */
  has_photos: z.literal(true).optional(),
  /** The transitions that the caller may make now. */
  transitions: z.array(dealTransitionNameSchema),
  created_at: instantSchema,
  updated_at: instantSchema,
});
export type Deal = z.infer<typeof dealSchema>;

/** A deal after a transition, and the further deals of a call with `also_for`. */
export const changedDealSchema = dealSchema.extend({
  /** The further deals for which the transition was made. */
  also_for: z.array(dealSchema).max(maxFurtherDeals).optional(),
  /** The further deals for which it was not possible, as they are now. */
  skipped: z.array(dealSchema).max(maxFurtherDeals).optional(),
});
export type ChangedDeal = z.infer<typeof changedDealSchema>;

/** Query of the list of deals; `cursor` is the `next_cursor` of the previous page. */
export const dealQuerySchema = z.object({
  role: dealPartySchema.optional(),
  state: z.enum(dealStates).optional(),
  conversation_id: idSchema.optional(),
  /** The other party. */
  other_id: idSchema.optional(),
  cursor: z.string().max(200).optional(),
});
export type DealQuery = z.infer<typeof dealQuerySchema>;

/** One page of a person's deals, newest first. */
export const dealPageSchema = z.object({ items: z.array(dealSchema), next_cursor: z.string().nullable() });
export type DealPage = z.infer<typeof dealPageSchema>;

/**
 * The open deals about one of the caller's listings: first the holds, then the offers in the order of the
 * queue.
 */
export const dealQueueSchema = z.object({ items: z.array(dealSchema) });

/** What a signed-in person sees about deals on the page of somebody else's listing. */
export const listingDealInfoSchema = z.object({
  /** The caller's newest open deal about the listing, or null when there is none. */
  deal: dealSchema.nullable(),
  /** Number of other people's open offers for the listing. */
  other_offers: z.int(),
  /** The periods in which an item for rent is reserved, from today on, earliest first. */
  taken_days: z.array(rentalPeriodSchema),
  /** The owner's rules for an item for rent. Absent for other items, and in responses of versions before 0.13. */
  rental_rules: rentalRulesSchema.optional(),
});
export type ListingDealInfo = z.infer<typeof listingDealInfoSchema>;
