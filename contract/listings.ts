import { z } from 'zod';
import { awayUntilSchema } from './away-schema.ts';
import { categories, conditions } from './categories.ts';
import { categoryColumnSchemas, optionalCategoryColumnSchemas } from './category-field-schemas.ts';
import { photoSchema } from './photo-schema.ts';
import { campusRoles, ratedUserSchema } from './profiles.ts';
import { rentalPeriodSchema, rentalTimeFields } from './rental-times.ts';
import {
  giftModes,
  holdHourOptions,
  maxRentedDaysAhead,
  rentalPeriods,
  unavailableReasons,
} from './selling.ts';
import { idSchema, instantSchema } from './text.ts';
import { isolateDirection } from './text-direction.ts';

/** Error messages of the dialogs that mark a listing as sold or rented. */
export const saleErrorMessages = {
  person: 'Choose somebody who wrote about this listing',
  until: 'Choose the last day of the rental',
  untilOfSale: 'Only rentals come back',
  untilPast: 'The last day must be today or later',
  untilFar: `The last day can be at most ${maxRentedDaysAhead} days ahead`,
} as const;

/**
 * The statuses of a listing. `sold` also means given away or permanently rented. An `in_review` listing waits
 * for a moderator's decision and is not public.
 */
export const listingStatuses = ['draft', 'published', 'sold', 'in_review'] as const;
export type ListingStatus = (typeof listingStatuses)[number];

/** The statuses in which an owner can save a listing; the server sets the others. */
export const settableListingStatuses = ['draft', 'published'] as const satisfies readonly ListingStatus[];
export type SettableListingStatus = (typeof settableListingStatuses)[number];

// Zod accepts dates in the year 0000, but PostgreSQL rejects them, so this schema rejects them, too.
const lastDaySchema = z.iso
  .date({ error: saleErrorMessages.until })
  .refine((day) => !day.startsWith('0000'), saleErrorMessages.until);

/** Body of a call that marks a listing as sold, rented or given away without a deal. */
export const markSoldSchema = z.object({
  /**
   * Id of the person who got the item. The server asks this person to confirm it. Omitted when the owner
   * names nobody.
   */
  to_user_id: idSchema.nullish(),
  /**
   * The last day of a rental after which the renter returns the item. Omitted when the item is gone for good.
   */
  until: lastDaySchema.nullish(),
});
export type MarkSoldBody = z.infer<typeof markSoldSchema>;

/** Body of a call with which a person confirms or denies that they got an item. */
export const saleConfirmationSchema = z.object({ confirmed: z.boolean() });

/** What an owner can answer when asked whether a listing is still available. */
export const availabilityAnswers = ['yes', 'sold', 'hide'] as const;
export type AvailabilityAnswer = (typeof availabilityAnswers)[number];

/** Body of a call with which an owner says whether a listing is still available. */
export const availabilityAnswerSchema = z.object({ answer: z.enum(availabilityAnswers) });

/**
 * What an owner enters about a listing and everybody sees once it is published. A draft may lack any field. The check for
 * prohibited wording, the quotes in cases, what moderators see, and the version that they approve follow from these fields.
 */
export const publicContentSchema = z.object({
  title: z.string().nullable(),
  description: z.string().nullable(),
  price: z.number().nullable(),
  category: z.enum(categories).nullable(),
  condition: z.enum(conditions).nullable(),
  location: z.string().nullable(),
  game_date: z.iso.date().nullable(),
  contact_email: z.string().nullable(),
  contact_phone: z.string().nullable(),
  photos: z.array(z.string()),
  rental_period: z.enum(rentalPeriods).nullable(),
  is_price_firm: z.boolean().nullable(),
  gift_mode: z.enum(giftModes).nullable(),
  ...categoryColumnSchemas,
});
export type PublicContent = z.infer<typeof publicContentSchema>;
export const publicContentFields = Object.keys(publicContentSchema.shape) as (keyof PublicContent)[];

/** The public fields of a listing that say how it is sold; its card shows them. */
const publicSaleFields = {
  /** The period that a rental's price is for, such as a week; ignored in other categories. */
  rental_period: z.enum(rentalPeriods),
  /** Whether an accepted offer reserves the listing for somebody. */
  is_on_hold: z.boolean(),
  /**
   * The last day of the latest rental that was made without a deal; may be in the past. Null when there was
   * none.
   */
  rented_until: z.iso.date().nullable(),
  /** The current rental that was agreed in a deal, or else the next such rental. Null when there is none. */
  rental: z
    .object({
      first_day: z.iso.date(),
      last_day: z.iso.date(),
      /** Present only in the owner's own listings. */
      ...rentalTimeFields,
      /** Whether the renter still has the item, possibly even after the last day. */
      is_out: z.boolean(),
    })
    .nullable(),
};

/** A listing with the fields that its card displays in lists. */
export const listingCardSchema = z.object({
  id: idSchema,
  slug: z.string(),
  user_id: idSchema,
  title: z.string(),
  price: z.number(),
  category: z.enum(categories),
  condition: z.enum(conditions),
  location: z.string(),
  game_date: z.iso.date().nullable(),
  created_at: instantSchema,
  ...publicSaleFields,
  /** The draw of a free item until its order is drawn. Absent otherwise, and in responses of earlier versions. */
  draw: z.object({ closes_at: instantSchema }).optional(),
  /** The first photo of the listing. */
  cover: photoSchema.nullable(),
  /** The seller's public profile without its id, which is already in `user_id`. */
  seller: ratedUserSchema.omit({ id: true }),
});
export type ListingCard = z.infer<typeof listingCardSchema>;

/**
 * A public listing with the fields that its page displays. It is published, was sold or ended in the last 90 days, or
 * waits for its seller to confirm that it is still available.
 */
export const listingSchema = listingCardSchema.extend({
  status: z.enum(['published', 'sold']),
  /** Null when the listing is available or sold. */
  unavailable: z.enum(unavailableReasons).nullable(),
  /** The first day on which a seller who is away is back. */
  away_until: awayUntilSchema,
  /**
   * The periods in which deals reserve an item for rent, earliest first. Some may be in the past. A rental
   * without a deal (`rented_until`) is not included.
   */
  taken_days: z.array(rentalPeriodSchema),
  is_price_firm: z.boolean(),
  /** How the recipient of a free item is chosen; ignored in other categories. */
  gift_mode: z.enum(giftModes),
  /** When the draw of a free item closes, or null when there is no draw. */
  draw_closes_at: instantSchema.nullable(),
  description: z.string(),
  /** The seller's contact details; both fields are null when the listing is sold, passed or not confirmed. */
  contact_email: z.string().nullable(),
  contact_phone: z.string().nullable(),
  /** Photo URLs, the cover photo first (specification §3). */
  photos: z.array(z.string()),
  /** The same photos as in `photos`, in the same order, each with its size and placeholder. */
  images: z.array(photoSchema),
  /** The seller's self-declared role, or null when the seller is not verified. */
  seller_role: z.enum(campusRoles).nullable(),
  /**
   * When the seller last tended the listing otherwise than by publishing it: changed it, said that it is available,
   * replied about it, or made a step in a deal about it. Null when that never happened.
   */
  confirmed_at: instantSchema.nullable(),
  updated_at: instantSchema,
  /** The fields of the listing's category that its owner filled in. */
  ...optionalCategoryColumnSchemas,
});
export type Listing = z.infer<typeof listingSchema>;

/** A listing as its owner sees it; a draft may lack any field. */
export const ownListingSchema = z.object({
  id: idSchema,
  slug: z.string(),
  user_id: idSchema,
  title: z.string().nullable(),
  description: z.string().nullable(),
  price: z.number().nullable(),
  category: z.enum(categories).nullable(),
  condition: z.enum(conditions).nullable(),
  location: z.string().nullable(),
  status: z.enum(listingStatuses),
  game_date: z.iso.date().nullable(),
  contact_email: z.string().nullable(),
  contact_phone: z.string().nullable(),
  photos: z.array(z.string()),
  images: z.array(photoSchema),
  ...publicSaleFields,
  open_deals: z.int(),
  /** Number of open offers. */
  waiting_offers: z.int(),
  /**
   * Whom the listing is on hold for; of several holds of a rental the one that ends first. Null when nobody has it on
   * hold.
   */
  hold: z
    .object({
      /** The display name of the buyer, or null when the account was deleted. */
      name: z.string().nullable(),
      /** When the hold ends, or null when it has no end. */
      until: instantSchema.nullable(),
      /** The agreed time of the handover. */
      meets_at: instantSchema.nullable(),
      /** Whether the seller said that the buyer has it. */
      is_handed_over: z.boolean(),
    })
    .nullable(),
  /** Number of people who have saved the listing. */
  save_count: z.int(),
  hold_hours: z.literal(holdHourOptions),
  is_price_firm: z.boolean(),
  gift_mode: z.enum(giftModes),
  draw_hours: z.int(),
  draw_closes_at: instantSchema.nullable(),
  /** When the listing was sold, given away or rented, or null when it was not. */
  sold_at: instantSchema.nullable(),
  /** Id of the person who got the item according to its owner, or null when the owner named nobody. */
  sold_to: idSchema.nullable(),
  /** The display name of the person in `sold_to`. */
  sold_to_name: z.string().nullable(),
  /**
   * When the person in `sold_to` confirmed that they got the item, or null until then. Afterwards the owner
   * cannot undo the sale.
   */
  sale_confirmed_at: instantSchema.nullable(),
  /** The reason why the listing was taken down, or null when it was not taken down. */
  hidden_reason: z.string().nullable(),
  /**
   * What a moderator asked the owner to change before the listing can be published again, or null when
   * nothing was asked.
   */
  requested_changes: z.string().nullable(),
  /** When the day of its game ended, which made the listing a draft; null otherwise. */
  ended_at: instantSchema.nullable(),
  /**
   * Since when the listing is a draft because its owner did not confirm that it is still available; null otherwise.
   */
  paused_at: instantSchema.nullable(),
  /**
   * Whether nobody else sees the listing because its owner's membership of the campus has ended. Missing in responses of
   * servers before 0.13.
   */
  awaits_membership: z.boolean().optional(),
  /** When the listing was published for the first time, or null when it never was. */
  published_at: instantSchema.nullable(),
  /**
   * When the owner last published or changed the listing, said that it is available, replied about it, or made a step in
   * a deal about it; null when it is not published.
   */
  tended_at: instantSchema.nullable(),
  /** The same as `confirmed_at` of a public listing. */
  confirmed_at: instantSchema.nullable(),
  /** When the owner was asked whether the listing is still available, or null when no question is open. */
  asked_at: instantSchema.nullable(),
  created_at: instantSchema,
  updated_at: instantSchema,
  /** The fields of single categories. */
  ...optionalCategoryColumnSchemas,
});
export type OwnListing = z.infer<typeof ownListingSchema>;

/** For how many seconds a deleted listing can be restored. */
export const listingRestoreSeconds = 10;

/** The error message when it is too late to restore a deleted listing. */
export const restoreTooLateMessage = 'It is too late to undo: the listing is deleted for good.';

/**
 * Returns the message that tells the owner which changes a moderator asked for. The owner sees it until the
 * listing is changed.
 */
export const formatRequestedChangesMessage = (reason: string): string =>
  `A moderator asked you to change it: ${isolateDirection(reason)}`;

/** Returns the message that the owner of a taken-down listing sees. */
export const formatTakenDownMessage = (reason: string): string =>
  `This listing was taken down: ${isolateDirection(reason)}`;
