import { z } from 'zod';
import { createEmailSchema } from './accounts.ts';
import type { Campus, CampusListings, CampusPrices } from './campus.ts';
import { categories, conditions, postableCategories } from './categories.ts';
import { createCategoryFormSchemas } from './category-field-schemas.ts';
import { findRentalPriceField } from './category-fields.ts';
import { maxPhotosPerListing, photoErrorMessages } from './photos.ts';
import { formatPriceExamples } from './price-fields.ts';
import { getMaxPrice, hasPriceDecimals } from './price-limits.ts';
import { priceTextToNumber } from './price-text.ts';
import { formatAmount, getPriceDecimals } from './prices.ts';
import {
  defaultGiftDrawHours,
  defaultHoldHours,
  giftDrawHours,
  giftModes,
  holdHourOptions,
  rentalPeriods,
} from './selling.ts';
import {
  blankToNull,
  createParagraphSchema,
  createSingleLineTextSchema,
  createStorableTextSchema,
  idSchema,
  normalizeLine,
  pictographPattern,
} from './text.ts';

/**
 * Limits of a listing: minimum and maximum lengths of texts in characters, (specification §9).
 */
export const titleLength = { min: 10, max: 80 } as const;
export const descriptionLength = { min: 40, max: 1000 } as const;
export const locationLength = { min: 1, max: 200 } as const;
export const phoneLength = { min: 10, max: 30 } as const;

/** Validation messages of the listing form (specification §5). `formatPriceMessages` adapts those about prices. */
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
  rentalDays: 'Must not be less than the minimum',
  rentalPriceTwice: 'There are two prices for this period. Please remove one',
} as const;

/** Returns the validation messages about prices in the currency and the notation of the campus. */
export const formatPriceMessages = (campus: CampusPrices) => {
  const { priceFormat, priceDecimals, priceFree, priceHigh } = listingErrorMessages;
  const decimals = getPriceDecimals(campus);
  const format = (amount: number) => formatAmount(campus, amount, true);
  return {
    priceRequired: listingErrorMessages.priceRequired,
    pricePositive: listingErrorMessages.pricePositive,
    priceFormat: formatPriceExamples(campus, priceFormat),
    priceDecimals:
      decimals === 0 ? 'Price must be a whole number' : priceDecimals.replace('2', String(decimals)),
    priceFree: priceFree.replaceAll('$0.00', format(0)),
    priceHigh: priceHigh.replace('$100,000.00', format(getMaxPrice(campus))),
  };
};

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

const createPriceSchema = (campus: CampusPrices) => {
  const messages = formatPriceMessages(campus);
  return z
    .number({ error: ({ input }) => (input === null ? messages.priceRequired : messages.priceFormat) })
    .min(0, messages.pricePositive)
    .max(getMaxPrice(campus), messages.priceHigh)
    .refine((value) => hasPriceDecimals(campus, value), messages.priceDecimals);
};

const createTypedPriceSchema = (campus: CampusPrices) =>
  z.preprocess((value) => priceTextToNumber(campus, value), createPriceSchema(campus));

/** Returns the schema of a price that may be missing or null, as typed or as a number. */
export const createOptionalPriceSchema = (campus: CampusPrices) =>
  z.preprocess((value) => priceTextToNumber(campus, value ?? null), createPriceSchema(campus).nullable());

const contactEmailSchema = z.preprocess(
  blankToNull,
  createEmailSchema(listingErrorMessages.email).nullable(),
);

/** Returns the schema of a phone number. Outside the United States it may also begin with a plus sign. */
const createContactPhoneSchema = ({ country }: Pick<Campus, 'country'>) =>
  z.preprocess(
    blankToNull,
    z
      .string({ error: listingErrorMessages.phoneFormat })
      .overwrite(normalizeLine)
      .regex(country === 'US' ? /^[\d\s()-]*$/ : /^\+?[\d\s()-]*$/, listingErrorMessages.phoneFormat)
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

/** Returns why a price does not suit a category, or undefined when it does. */
export const findPriceObstacle = (
  listing: { category: string | null; price: number },
  campus: CampusPrices,
): string | undefined => {
  if (!isFreeItemPriceValid(listing)) return formatPriceMessages(campus).priceFree;
  return isSalePriceValid(listing) ? undefined : listingErrorMessages.pricePositive;
};

const hasContactMethod = (listing: { contactEmail?: unknown; contactPhone?: unknown }) =>
  Boolean(listing.contactEmail || listing.contactPhone);

/** Returns whether the minimum of days of a rental, if it has both, is not above the maximum. */
export const areRentalDaysInOrder = ({
  minRentalDays: min,
  maxRentalDays: max,
}: {
  minRentalDays?: unknown;
  maxRentalDays?: unknown;
}) => typeof min !== 'number' || typeof max !== 'number' || min <= max;

/** Returns whether a rental has no further price for the period that its price is for. */
const hasOnePricePerPeriod = (listing: { category?: unknown; rentalPeriod?: unknown }) => {
  const field = findRentalPriceField(listing.rentalPeriod);
  const further = field && (listing as Record<string, unknown>)[field];
  return listing.category !== 'rentals' || further === undefined || further === null;
};

/**
 * Returns the schema of a listing that can be published: all rules of specification §5. `today` is
 * the current date on the campus (YYYY-MM-DD) and the earliest allowed game date.
 */
export const createPublishedListingSchema = (today: string, campus: CampusListings) =>
  z
    .object({
      title: titleSchema(titleLength.min).refine(
        (value) => !pictographPattern.test(value),
        listingErrorMessages.titleEmoji,
      ),
      category: z.enum([...postableCategories, 'trojan-merch'], { error: listingErrorMessages.category }),
      condition: z.enum(conditions, { error: listingErrorMessages.condition }),
      price: createTypedPriceSchema(campus),
      description: descriptionSchema(descriptionLength.min),
      location: locationSchema(locationLength.min),
      contactEmail: contactEmailSchema,
      contactPhone: createContactPhoneSchema(campus),
      photos: photosSchema,
      gameDate: z.preprocess(
        blankToNull,
        gameDateSchema.refine((day) => day >= today, listingErrorMessages.datePast).nullable(),
      ),
      ...sellingFieldSchemas,
      ...createCategoryFormSchemas(campus),
    })
    .refine(hasContactMethod, {
      ...alwaysValidateOption,
      error: listingErrorMessages.contact,
      path: ['contactEmail'],
    })
    .refine(isFreeItemPriceValid, {
      ...alwaysValidateOption,
      error: formatPriceMessages(campus).priceFree,
      path: ['price'],
    })
    .refine(isSalePriceValid, {
      ...alwaysValidateOption,
      error: listingErrorMessages.pricePositive,
      path: ['price'],
    })
    .refine(areRentalDaysInOrder, {
      ...alwaysValidateOption,
      error: listingErrorMessages.rentalDays,
      path: ['maxRentalDays'],
    })
    .refine(hasOnePricePerPeriod, {
      ...alwaysValidateOption,
      error: listingErrorMessages.rentalPriceTwice,
      path: ['rentalPeriod'],
    });

/** Body of a call that changes the price of a listing. Whether it may be 0 depends on the listing's category. */
export const createChangePriceSchema = (campus: CampusPrices) =>
  z.object({ price: createTypedPriceSchema(campus) });

/** The schema of a draft. Any field may be missing, but the maximum lengths and the highest price apply. */
export const createDraftListingSchema = (campus: CampusPrices) =>
  z.object({
    title: titleSchema(0).nullable().default(null),
    category: z.preprocess(
      blankToNull,
      z.enum(categories, { error: listingErrorMessages.category }).nullable(),
    ),
    condition: z.preprocess(
      blankToNull,
      z.enum(conditions, { error: listingErrorMessages.condition }).nullable(),
    ),
    price: createOptionalPriceSchema(campus),
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
    ...createCategoryFormSchemas(campus),
  });

export type DraftListing = z.infer<ReturnType<typeof createDraftListingSchema>>;

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
export const createListingSubmissionSchema = (today: string, campus: CampusListings) =>
  z.discriminatedUnion('status', [
    createDraftListingSchema(campus).extend({ ...identifierFieldSchemas, status: z.literal('draft') }),
    createPublishedListingSchema(today, campus).safeExtend({
      ...identifierFieldSchemas,
      status: z.literal('published'),
    }),
  ]);
export type ListingSubmission = z.infer<ReturnType<typeof createListingSubmissionSchema>>;
