import { z } from 'zod';
import { emailAddressSchema } from './accounts.ts';
import { categories, conditions, postableCategories } from './categories.ts';
import { maxPhotos, photoSentences } from './photos.ts';
import { publicUserSchema, roles } from './profiles.ts';
import { photoSchema } from './stored-photos.ts';
import {
  idSchema,
  instantSchema,
  lineSchema,
  normalizeLine,
  paragraphSchema,
  pictographPattern,
  storableTextSchema,
} from './text.ts';

/** Minimum and maximum lengths in characters, and the highest price in dollars (specification §9). */
export const titleLength = { min: 10, max: 80 } as const;
export const descriptionLength = { min: 40, max: 1000 } as const;
export const locationLength = { min: 1, max: 200 } as const;
export const maxPrice = 100_000;
export const phoneLength = { min: 10, max: 30 } as const;

/** Validation messages of the listing form (specification §5). */
export const listingSentences = {
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
} as const;

const titleSchema = (min: number) =>
  lineSchema({
    required: listingSentences.titleShort,
    min: { length: min, sentence: listingSentences.titleShort },
    max: { length: titleLength.max, sentence: listingSentences.titleLong },
  });

const descriptionSchema = (min: number) =>
  paragraphSchema({
    required: listingSentences.descriptionShort,
    min: { length: min, sentence: listingSentences.descriptionShort },
    max: { length: descriptionLength.max, sentence: listingSentences.descriptionLong },
  });

const locationSchema = (min: number) =>
  lineSchema({
    required: listingSentences.locationRequired,
    min: { length: min, sentence: listingSentences.locationRequired },
    max: { length: locationLength.max, sentence: listingSentences.locationLong },
  });

const blankToNull = (value: unknown) =>
  value === undefined || (typeof value === 'string' && value.trim() === '') ? null : value;

const decimalPattern = /^-?(\d+\.?\d*|\.\d+)$/;

/** Returns the number that a form or query text stands for, null for none or a blank one, and NaN for any other text. */
export const textToNumber = (value: unknown) => {
  const present = blankToNull(value);
  return typeof present === 'string'
    ? decimalPattern.test(present.trim())
      ? Number(present)
      : Number.NaN
    : present;
};

/** A price in dollars with at most two decimals. */
const amountSchema = z
  .number({
    error: ({ input }) => (input === null ? listingSentences.priceRequired : listingSentences.priceFormat),
  })
  .min(0, listingSentences.pricePositive)
  .max(maxPrice, listingSentences.priceHigh)
  .refine((value) => /^\d+(\.\d{1,2})?$/.test(String(value)), listingSentences.priceDecimals);

const contactEmailSchema = z.preprocess(blankToNull, emailAddressSchema(listingSentences.email).nullable());

const contactPhoneSchema = z.preprocess(
  blankToNull,
  z
    .string({ error: listingSentences.phoneFormat })
    .overwrite(normalizeLine)
    .regex(/^[\d\s()-]*$/, listingSentences.phoneFormat)
    .min(phoneLength.min, listingSentences.phoneShort)
    .max(phoneLength.max, listingSentences.phoneLong)
    .nullable(),
);

// PostgreSQL rejects dates in year 0.
const daySchema = z.iso
  .date({ error: listingSentences.dateFormat })
  .refine((day) => !day.startsWith('0000'), { error: listingSentences.dateFormat, abort: true });

const photosSchema = z
  .array(storableTextSchema(photoSentences.foreign, 500), { error: photoSentences.foreign })
  .max(maxPhotos, photoSentences.tooMany)
  .default([]);

/**
 * Makes a rule run even when other fields are invalid; for the contact and price rules, which involve two fields each.
 */
const refineAlways = { when: () => true } as const;

const isFreeItemPriceValid = (listing: { category?: unknown; price?: unknown }) =>
  typeof listing.price !== 'number' || listing.category !== 'free' || listing.price === 0;

const isSalePriceValid = (listing: { category?: unknown; price?: unknown }) =>
  typeof listing.price !== 'number' || listing.category === 'free' || listing.price !== 0;

const hasContactMethod = (listing: { contactEmail?: unknown; contactPhone?: unknown }) =>
  Boolean(listing.contactEmail || listing.contactPhone);

/**
 * Returns the schema of a listing that can be published: all rules of specification §5. `today` is the campus day,
 * YYYY-MM-DD, and the earliest game date.
 */
export const publishedListingSchema = (today: string) =>
  z
    .object({
      title: titleSchema(titleLength.min).refine(
        (value) => !pictographPattern.test(value),
        listingSentences.titleEmoji,
      ),
      category: z.enum([...postableCategories, 'trojan-merch'], { error: listingSentences.category }),
      condition: z.enum(conditions, { error: listingSentences.condition }),
      price: z.preprocess(textToNumber, amountSchema),
      description: descriptionSchema(descriptionLength.min),
      location: locationSchema(locationLength.min),
      contactEmail: contactEmailSchema,
      contactPhone: contactPhoneSchema,
      photos: photosSchema,
      gameDate: z.preprocess(
        blankToNull,
        daySchema.refine((day) => day >= today, listingSentences.datePast).nullable(),
      ),
    })
    .refine(hasContactMethod, { ...refineAlways, error: listingSentences.contact, path: ['contactEmail'] })
    .refine(isFreeItemPriceValid, { ...refineAlways, error: listingSentences.priceFree, path: ['price'] })
    .refine(isSalePriceValid, { ...refineAlways, error: listingSentences.pricePositive, path: ['price'] });

/** A draft: any field may be missing, but the maximum lengths and the highest price apply. */
export const draftListingSchema = z.object({
  title: titleSchema(0).nullable().default(null),
  category: z.preprocess(blankToNull, z.enum(categories, { error: listingSentences.category }).nullable()),
  condition: z.preprocess(blankToNull, z.enum(conditions, { error: listingSentences.condition }).nullable()),
  price: z.preprocess(textToNumber, amountSchema.nullable()),
  description: descriptionSchema(0).nullable().default(null),
  location: locationSchema(0).nullable().default(null),
  contactEmail: z.preprocess(blankToNull, storableTextSchema(listingSentences.email, 254).nullable()),
  contactPhone: z.preprocess(
    blankToNull,
    storableTextSchema(listingSentences.phoneLong, phoneLength.max).nullable(),
  ),
  photos: photosSchema,
  gameDate: z.preprocess(blankToNull, daySchema.nullable()),
});

export type DraftListing = z.infer<typeof draftListingSchema>;

const identityFields = {
  /** Id of the listing to update; missing for a new one. */
  id: idSchema.nullish(),
  /**
   * Idempotency key that the form generates for a new listing: saving with the same key again updates the same listing.
   */
  clientId: idSchema.nullish(),
};

/** Body of `create-listing` (specification §7). */
export const listingSubmissionSchema = (today: string) =>
  z.discriminatedUnion('status', [
    draftListingSchema.extend({ ...identityFields, status: z.literal('draft') }),
    publishedListingSchema(today).safeExtend({ ...identityFields, status: z.literal('published') }),
  ]);
export type ListingSubmission = z.infer<ReturnType<typeof listingSubmissionSchema>>;

export const listingStatuses = ['draft', 'published'] as const;
export type ListingStatus = (typeof listingStatuses)[number];

/** A listing as displayed on a card. */
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
  /** The first photo. */
  cover: photoSchema.nullable(),
  /** The seller's public profile; its id is `user_id`. */
  seller: publicUserSchema.omit({ id: true }),
});
export type ListingCard = z.infer<typeof listingCardSchema>;

/** A published listing as displayed on its page. */
export const listingSchema = listingCardSchema.extend({
  status: z.literal('published'),
  description: z.string(),
  contact_email: z.string().nullable(),
  contact_phone: z.string().nullable(),
  /** Photo URLs, the cover photo first (specification §3). */
  photos: z.array(z.string()),
  /** The same photos in the same order, with size and placeholder. */
  images: z.array(photoSchema),
  /** The seller's self-declared role; null unless the seller is verified. */
  seller_role: z.enum(roles).nullable(),
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
  /** Why an administrator took the listing down; null when it was not taken down. */
  hidden_reason: z.string().nullable(),
  created_at: instantSchema,
  updated_at: instantSchema,
});
export type OwnListing = z.infer<typeof ownListingSchema>;

/** Returns the message that the owner of a taken-down listing sees. */
export const takenDownSentence = (reason: string): string => `This listing was taken down: ${reason}`;
