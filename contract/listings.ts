import { z } from 'zod';
import { createEmailSchema } from './accounts.ts';
import { categories, conditions, postableCategories } from './categories.ts';
import { photoSchema } from './photo-schema.ts';
import { maxPhotosPerListing, photoErrorMessages } from './photos.ts';
import { campusRoles, ratedUserSchema } from './profiles.ts';
import {
  defaultGiftDrawHours,
  defaultHoldHours,
  giftDrawHours,
  giftModes,
  holdHourOptions,
  maxRentedDaysAhead,
  rentalPeriods,
} from './selling.ts';
import {
  createParagraphSchema,
  createSingleLineTextSchema,
  createStorableTextSchema,
  idSchema,
  instantSchema,
  normalizeLine,
  pictographPattern,
} from './text.ts';
import { isolateDirection } from './text-direction.ts';

/**
 * Limits of a listing: minimum and maximum lengths of texts in characters, and the highest price in dollars
 * (specification §9).
 */
export const titleLength = { min: 10, max: 80 } as const;
export const descriptionLength = { min: 40, max: 1000 } as const;
export const locationLength = { min: 1, max: 200 } as const;
export const maxPrice = 100_000;
export const phoneLength = { min: 10, max: 30 } as const;

/** Validation messages of the listing form (specification §5). */
export const listingErrorMessages = {
  titleShort: 'Title must be at least 10 characters',
  titleLong: 'Title must be at most 80 characters',
  titleEmoji: 'Title cannot contain emojis',
  category: 'Please select a category',
  condition: 'Please select a condition',
  priceRequired: 'Price is required',
  priceFormat: 'Enter the price in digits, for example 25 or 25.50',
  pricePositive: 'Price must be greater than 0',
  priceDecimals: 'Price can have at most 2 decimal places',
  priceFree: 'Price must be $0.00 for free items or greater than $0.00 for other categories',
  priceHigh: 'Price must be at most $100,000.00',
  descriptionShort: 'Description must be at least 40 characters',
  descriptionLong: 'Description must be at most 1000 characters',
  locationRequired: 'Location is required',
  locationLong: 'Location must be at most 200 characters',
  email: 'Invalid email address',
  phoneFormat: 'Invalid phone number format',
  phoneShort: 'Phone number must be at least 10 digits',
  phoneLong: 'Phone number must be at most 30 characters',
  contact: 'At least one contact method (email or phone) is required',
  dateFormat: 'Invalid date format',
  datePast: 'Game date must be today or in the future',
  holdHours: 'Please choose 24 or 48 hours',
  firmPrice: 'Please say whether the price is firm',
  rentalPeriod: 'Please select a rental period',
  giftMode: 'Please choose how somebody gets the item',
  drawHours: 'A draw can close 1 to 48 hours after it is posted',
} as const;

/** Error messages of the dialogs that mark a listing as sold or rented. */
export const saleErrorMessages = {
  person: 'Choose somebody who wrote about this listing',
  until: 'Choose the last day of the rental',
  untilOfSale: 'Only rentals come back',
  untilPast: 'The last day must be today or later',
  untilFar: `The last day can be at most ${maxRentedDaysAhead} days ahead`,
} as const;

const titleSchema = (min: number) =>
  createSingleLineTextSchema({
    required: listingErrorMessages.titleShort,
    min: { length: min, sentence: listingErrorMessages.titleShort },
    max: { length: titleLength.max, sentence: listingErrorMessages.titleLong },
  });

const descriptionSchema = (min: number) =>
  createParagraphSchema({
    required: listingErrorMessages.descriptionShort,
    min: { length: min, sentence: listingErrorMessages.descriptionShort },
    max: { length: descriptionLength.max, sentence: listingErrorMessages.descriptionLong },
  });

const locationSchema = (min: number) =>
  createSingleLineTextSchema({
    required: listingErrorMessages.locationRequired,
    min: { length: min, sentence: listingErrorMessages.locationRequired },
    max: { length: locationLength.max, sentence: listingErrorMessages.locationLong },
  });

const blankToNull = (value: unknown) =>
  value === undefined || (typeof value === 'string' && normalizeLine(value) === '') ? null : value;

const decimalPattern = /^-?(\d+(\.\d*)?|\.\d+)$/;

/**
 * Converts the text of a form field or query parameter to a number: null if it is missing or blank,
 * NaN if it is not a decimal number. Returns values that are not text unchanged.
 */
export const textToNumber = (value: unknown) => {
  const present = blankToNull(value);
  return typeof present === 'string'
    ? decimalPattern.test(present.trim())
      ? Number(present)
      : Number.NaN
    : present;
};

/** Matches a price with commas between its thousands, as in "1,200.50". */
const groupedPricePattern = /^\d{1,3}(,\d{3})+(\.\d*)?$/;

/** Converts a typed price to a number like `textToNumber`, also with a dollar sign and with commas, as in "$1,200". */
export const priceTextToNumber = (value: unknown) => {
  if (typeof value !== 'string') return textToNumber(value);
  const amount = normalizeLine(value).replace(/^\$ ?/, '');
  return textToNumber(groupedPricePattern.test(amount) ? amount.replaceAll(',', '') : amount);
};

/** A price in dollars with at most two decimals. */
const priceSchema = z
  .number({
    error: ({ input }) =>
      input === null ? listingErrorMessages.priceRequired : listingErrorMessages.priceFormat,
  })
  .min(0, listingErrorMessages.pricePositive)
  .max(maxPrice, listingErrorMessages.priceHigh)
  .refine((value) => /^\d+(\.\d{1,2})?$/.test(String(value)), listingErrorMessages.priceDecimals);

const contactEmailSchema = z.preprocess(
  blankToNull,
  createEmailSchema(listingErrorMessages.email).nullable(),
);

const contactPhoneSchema = z.preprocess(
  blankToNull,
  z
    .string({ error: listingErrorMessages.phoneFormat })
    .overwrite(normalizeLine)
    .regex(/^[\d\s()-]*$/, listingErrorMessages.phoneFormat)
    .min(phoneLength.min, listingErrorMessages.phoneShort)
    .max(phoneLength.max, listingErrorMessages.phoneLong)
    .nullable(),
);

// Zod accepts dates in the year 0000, but PostgreSQL rejects them, so this schema rejects them, too.
const gameDateSchema = z.iso
  .date({ error: listingErrorMessages.dateFormat })
  .refine((day) => !day.startsWith('0000'), { error: listingErrorMessages.dateFormat, abort: true });

const photosSchema = z
  .array(createStorableTextSchema(photoErrorMessages.foreign, 500), { error: photoErrorMessages.foreign })
  .max(maxPhotosPerListing, photoErrorMessages.tooMany)
  .default([]);

/**
 * The fields of the listing form that say how an item is sold, rented or given away. Each is used only in
 * some categories.
 */
const sellingFieldSchemas = {
  /** For how many hours an accepted offer reserves the item for the buyer. */
  holdHours: z.literal(holdHourOptions, { error: listingErrorMessages.holdHours }).default(defaultHoldHours),
  isPriceFirm: z.boolean({ error: listingErrorMessages.firmPrice }).default(false),
  rentalPeriod: z.enum(rentalPeriods, { error: listingErrorMessages.rentalPeriod }).default('flexible'),
  giftMode: z.enum(giftModes, { error: listingErrorMessages.giftMode }).default('first_come'),
  /** For how many hours after publication people can enter the draw for a free item. */
  drawHours: z
    .int({ error: listingErrorMessages.drawHours })
    .min(giftDrawHours.min, listingErrorMessages.drawHours)
    .max(giftDrawHours.max, listingErrorMessages.drawHours)
    .default(defaultGiftDrawHours),
};

/**
 * An option that makes Zod check a rule even when other fields are invalid. The rules about contact details
 * and about the price need it, because each involves two fields.
 */
const alwaysValidateOption = { when: () => true } as const;

const isFreeItemPriceValid = (listing: { category?: unknown; price?: unknown }) =>
  typeof listing.price !== 'number' || listing.category !== 'free' || listing.price === 0;

const isSalePriceValid = (listing: { category?: unknown; price?: unknown }) =>
  typeof listing.price !== 'number' || listing.category === 'free' || listing.price !== 0;

const hasContactMethod = (listing: { contactEmail?: unknown; contactPhone?: unknown }) =>
  Boolean(listing.contactEmail || listing.contactPhone);

/**
 * Returns the schema of a listing that can be published: all rules of specification §5. `today` is
 * the current date on the campus (YYYY-MM-DD) and the earliest allowed game date.
 */
export const createPublishedListingSchema = (today: string) =>
  z
    .object({
      title: titleSchema(titleLength.min).refine(
        (value) => !pictographPattern.test(value),
        listingErrorMessages.titleEmoji,
      ),
      category: z.enum([...postableCategories, 'trojan-merch'], { error: listingErrorMessages.category }),
      condition: z.enum(conditions, { error: listingErrorMessages.condition }),
      price: z.preprocess(priceTextToNumber, priceSchema),
      description: descriptionSchema(descriptionLength.min),
      location: locationSchema(locationLength.min),
      contactEmail: contactEmailSchema,
      contactPhone: contactPhoneSchema,
      photos: photosSchema,
      gameDate: z.preprocess(
        blankToNull,
        gameDateSchema.refine((day) => day >= today, listingErrorMessages.datePast).nullable(),
      ),
      ...sellingFieldSchemas,
    })
    .refine(hasContactMethod, {
      ...alwaysValidateOption,
      error: listingErrorMessages.contact,
      path: ['contactEmail'],
    })
    .refine(isFreeItemPriceValid, {
      ...alwaysValidateOption,
      error: listingErrorMessages.priceFree,
      path: ['price'],
    })
    .refine(isSalePriceValid, {
      ...alwaysValidateOption,
      error: listingErrorMessages.pricePositive,
      path: ['price'],
    });

/** The schema of a draft. Any field may be missing, but the maximum lengths and the highest price apply. */
export const draftListingSchema = z.object({
  title: titleSchema(0).nullable().default(null),
  category: z.preprocess(
    blankToNull,
    z.enum(categories, { error: listingErrorMessages.category }).nullable(),
  ),
  condition: z.preprocess(
    blankToNull,
    z.enum(conditions, { error: listingErrorMessages.condition }).nullable(),
  ),
  price: z.preprocess(priceTextToNumber, priceSchema.nullable()),
  description: descriptionSchema(0).nullable().default(null),
  location: locationSchema(0).nullable().default(null),
  contactEmail: z.preprocess(
    blankToNull,
    createStorableTextSchema(listingErrorMessages.email, 254).nullable(),
  ),
  contactPhone: z.preprocess(
    blankToNull,
    createStorableTextSchema(listingErrorMessages.phoneLong, phoneLength.max).nullable(),
  ),
  photos: photosSchema,
  gameDate: z.preprocess(blankToNull, gameDateSchema.nullable()),
  ...sellingFieldSchemas,
});

export type DraftListing = z.infer<typeof draftListingSchema>;

const identifierFieldSchemas = {
  /** Id of the listing to update. Omitted for a new listing. */
  id: idSchema.nullish(),
  /**
   * Idempotency key that the form generates for a new listing: saving again with the same key updates this
   * listing instead of creating another.
   */
  clientId: idSchema.nullish(),
};

/**
 * Returns the schema of the body of a request to the function `create-listing` (specification §7), which also
 * updates listings.
 */
export const createListingSubmissionSchema = (today: string) =>
  z.discriminatedUnion('status', [
    draftListingSchema.extend({ ...identifierFieldSchemas, status: z.literal('draft') }),
    createPublishedListingSchema(today).safeExtend({
      ...identifierFieldSchemas,
      status: z.literal('published'),
    }),
  ]);
export type ListingSubmission = z.infer<ReturnType<typeof createListingSubmissionSchema>>;

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
  /** The first photo of the listing. */
  cover: photoSchema.nullable(),
  /** The seller's public profile without its id, which is already in `user_id`. */
  seller: ratedUserSchema.omit({ id: true }),
});
export type ListingCard = z.infer<typeof listingCardSchema>;

/**
 * A public listing with the fields that its page displays. It is published, or was sold in the last 90 days.
 */
export const listingSchema = listingCardSchema.extend({
  status: z.enum(['published', 'sold']),
  /**
   * The periods in which deals reserve an item for rent, earliest first. Some may be in the past. A rental
   * without a deal (`rented_until`) is not included.
   */
  taken_days: z.array(z.object({ first_day: z.iso.date(), last_day: z.iso.date() })),
  is_price_firm: z.boolean(),
  /** How the recipient of a free item is chosen; ignored in other categories. */
  gift_mode: z.enum(giftModes),
  /** When the draw of a free item closes, or null when there is no draw. */
  draw_closes_at: instantSchema.nullable(),
  description: z.string(),
  /** The seller's contact details; both fields are null once the listing is sold. */
  contact_email: z.string().nullable(),
  contact_phone: z.string().nullable(),
  /** Photo URLs, the cover photo first (specification §3). */
  photos: z.array(z.string()),
  /** The same photos as in `photos`, in the same order, each with its size and placeholder. */
  images: z.array(photoSchema),
  /** The seller's self-declared role, or null when the seller is not verified. */
  seller_role: z.enum(campusRoles).nullable(),
  updated_at: instantSchema,
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
  /** Number of open deals about the listing. */
  open_deals: z.int(),
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
  /** When the listing was published for the first time, or null when it never was. */
  published_at: instantSchema.nullable(),
  created_at: instantSchema,
  updated_at: instantSchema,
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
