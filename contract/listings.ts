import { z } from 'zod';
import { emailAddress } from './accounts.ts';
import { categories, conditions, postableCategories } from './categories.ts';
import { pageSize } from './paging.ts';
import { maxPhotos, photoSentences } from './photos.ts';
import { publicUserSchema, roles } from './profiles.ts';
import { photoSchema } from './stored-photos.ts';
import { idSchema, instantSchema, line, normalizeLine, paragraph, pictograph, storable } from './text.ts';

/** §9 */
export const titleLength = { min: 10, max: 80 } as const;
export const descriptionLength = { min: 40, max: 1000 } as const;
export const locationLength = { min: 1, max: 200 } as const;
export const maxPrice = 100_000;
export const phoneLength = { min: 10, max: 30 } as const;

/** §5, Listing form. */
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

const title = (min: number) =>
  line({
    required: listingSentences.titleShort,
    min: { length: min, sentence: listingSentences.titleShort },
    max: { length: titleLength.max, sentence: listingSentences.titleLong },
  });

const description = (min: number) =>
  paragraph({
    required: listingSentences.descriptionShort,
    min: { length: min, sentence: listingSentences.descriptionShort },
    max: { length: descriptionLength.max, sentence: listingSentences.descriptionLong },
  });

const location = (min: number) =>
  line({
    required: listingSentences.locationRequired,
    min: { length: min, sentence: listingSentences.locationRequired },
    max: { length: locationLength.max, sentence: listingSentences.locationLong },
  });

const blankToNull = (value: unknown) =>
  value === undefined || (typeof value === 'string' && value.trim() === '') ? null : value;

const decimal = /^-?(\d+\.?\d*|\.\d+)$/;

const textToNumber = (value: unknown) => {
  const present = blankToNull(value);
  return typeof present === 'string'
    ? decimal.test(present.trim())
      ? Number(present)
      : Number.NaN
    : present;
};

/** A price in dollars, as a number or as a form field's text; exact to the cent. */
const amountSchema = z
  .number({
    error: ({ input }) => (input === null ? listingSentences.priceRequired : listingSentences.priceFormat),
  })
  .min(0, listingSentences.pricePositive)
  .max(maxPrice, listingSentences.priceHigh)
  .refine((value) => /^\d+(\.\d{1,2})?$/.test(String(value)), listingSentences.priceDecimals);

const contactEmailSchema = z.preprocess(blankToNull, emailAddress(listingSentences.email).nullable());

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

// PostgreSQL has no year 0.
const daySchema = z.iso
  .date({ error: listingSentences.dateFormat })
  .refine((day) => !day.startsWith('0000'), { error: listingSentences.dateFormat, abort: true });

const photosSchema = z
  .array(storable(photoSentences.foreign, 500), { error: photoSentences.foreign })
  .max(maxPhotos, photoSentences.tooMany)
  .default([]);

/** The contact and price rules involve two fields each, so they run even when other fields are refused. */
const together = { when: () => true } as const;

const priceFits = (listing: { category?: unknown; price?: unknown }) =>
  typeof listing.price !== 'number' || listing.category !== 'free' || listing.price === 0;

const pricePositive = (listing: { category?: unknown; price?: unknown }) =>
  typeof listing.price !== 'number' || listing.category === 'free' || listing.price !== 0;

const reachable = (listing: { contactEmail?: unknown; contactPhone?: unknown }) =>
  Boolean(listing.contactEmail || listing.contactPhone);

/**
 * Returns the schema of a publishable listing (all of specification §5).
 * @param today the campus day, YYYY-MM-DD, the earliest game date
 */
export const publishedListingSchema = (today: string) =>
  z
    .object({
      title: title(titleLength.min).refine((value) => !pictograph.test(value), listingSentences.titleEmoji),
      category: z.enum([...postableCategories, 'trojan-merch'], { error: listingSentences.category }),
      condition: z.enum(conditions, { error: listingSentences.condition }),
      price: z.preprocess(textToNumber, amountSchema),
      description: description(descriptionLength.min),
      location: location(locationLength.min),
      contactEmail: contactEmailSchema,
      contactPhone: contactPhoneSchema,
      photos: photosSchema,
      gameDate: z.preprocess(
        blankToNull,
        daySchema.refine((day) => day >= today, listingSentences.datePast).nullable(),
      ),
    })
    .refine(reachable, { ...together, error: listingSentences.contact, path: ['contactEmail'] })
    .refine(priceFits, { ...together, error: listingSentences.priceFree, path: ['price'] })
    .refine(pricePositive, { ...together, error: listingSentences.pricePositive, path: ['price'] });

/** A draft: any field may be missing, but values obey the upper limits (rulings, "Listings"). */
export const draftListingSchema = z.object({
  title: title(0).nullable().default(null),
  category: z.preprocess(blankToNull, z.enum(categories, { error: listingSentences.category }).nullable()),
  condition: z.preprocess(blankToNull, z.enum(conditions, { error: listingSentences.condition }).nullable()),
  price: z.preprocess(textToNumber, amountSchema.nullable()),
  description: description(0).nullable().default(null),
  location: location(0).nullable().default(null),
  contactEmail: z.preprocess(blankToNull, storable(listingSentences.email, 254).nullable()),
  contactPhone: z.preprocess(blankToNull, storable(listingSentences.phoneLong, phoneLength.max).nullable()),
  photos: photosSchema,
  gameDate: z.preprocess(blankToNull, daySchema.nullable()),
});

export type DraftListing = z.infer<typeof draftListingSchema>;

const identity = {
  /** Only when an existing listing is updated. */
  id: idSchema.nullish(),
  /** The form's own id for a new listing; saving with it again updates the same listing. */
  clientId: idSchema.nullish(),
};

/** Body of `create-listing` (specification §7). */
export const listingSubmissionSchema = (today: string) =>
  z.discriminatedUnion('status', [
    draftListingSchema.extend({ ...identity, status: z.literal('draft') }),
    publishedListingSchema(today).safeExtend({ ...identity, status: z.literal('published') }),
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
  /** The first photo, the cover. */
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
  /** URLs, the cover first (specification §3). */
  photos: z.array(z.string()),
  /** The same photos with their metadata. */
  images: z.array(photoSchema),
  /** What a seller with a verified campus address says they are there; null for everyone else. */
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
  /** The reason why an administrator took it down; null otherwise. */
  hidden_reason: z.string().nullable(),
  created_at: instantSchema,
  updated_at: instantSchema,
});
export type OwnListing = z.infer<typeof ownListingSchema>;

/** Query of GET /rest/v1/me/listings: filters and `next_cursor` of the previous page. */
export const ownListingQuerySchema = z.object({
  status: z.enum(listingStatuses).optional(),
  category: z.enum(categories).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(pageSize),
  cursor: z.string().max(200).optional(),
});
export type OwnListingQuery = z.infer<typeof ownListingQuerySchema>;

export const ownListingPageSchema = z.object({
  items: z.array(ownListingSchema),
  /** Totals over all pages, regardless of the filters. */
  counts: z.object({ published: z.int(), draft: z.int() }),
  next_cursor: z.string().nullable(),
});
export type OwnListingPage = z.infer<typeof ownListingPageSchema>;

/** Sort orders: newest first, by game date (nulls last, then newest), by price, condition or location. */
export const listingSorts = ['newest', 'game-date', 'price', 'price-desc', 'condition', 'location'] as const;
export type ListingSort = (typeof listingSorts)[number];

export const gameDateRanges = ['this-week', 'next-week', 'this-month'] as const;
export const sizes = ['small', 'medium', 'large', 'xl'] as const;
/** The choices of the filter bar's Category (specification §2), recognized by words in a listing, not by a field. */
export const gameDayKinds = ['tickets', 'tailgate-gear', 'parking-passes'] as const;

// An empty input of the filter form sets no limit.
const priceBoundSchema = z.preprocess(
  (value) => textToNumber(value) ?? undefined,
  z
    .number({ error: listingSentences.priceFormat })
    .min(0, listingSentences.pricePositive)
    .max(maxPrice, listingSentences.priceHigh)
    .optional(),
);

const searchSchema = storable('Please search for something shorter', 10_000).optional();

/** Query of GET /rest/v1/listings: filters, order and cursor. */
export const listingQuerySchema = z.object({
  category: z.enum(categories).optional(),
  q: searchSchema,
  sort: z.enum(listingSorts).optional(),
  min_price: priceBoundSchema,
  max_price: priceBoundSchema,
  condition: z.enum(conditions).optional(),
  location: storable(listingSentences.locationLong, locationLength.max).optional(),
  verified: z.enum(['true', 'false']).optional(),
  game_date: z.enum(gameDateRanges).optional(),
  size: z.enum(sizes).optional(),
  kind: z.enum(gameDayKinds).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(pageSize),
  /** Long enough for a location of 200 characters, as JSON in base64. */
  cursor: z.string().max(2000).optional(),
});
export type ListingQuery = z.infer<typeof listingQuerySchema>;

export const listingPageSchema = z.object({
  items: z.array(listingCardSchema),
  /** Number of matches; exact up to 10,000, 10,001 means "more". */
  total: z.int(),
  next_cursor: z.string().nullable(),
});
export type ListingPage = z.infer<typeof listingPageSchema>;

/** Query of GET /rest/v1/listings/similar-matches: a search without order and page. */
export const similarMatchesQuerySchema = listingQuerySchema.omit({ sort: true, limit: true, cursor: true });
export type SimilarMatchesQuery = z.infer<typeof similarMatchesQuerySchema>;

/** Query of GET /rest/v1/listings/suggestions: the text typed so far. */
export const suggestionQuerySchema = z.object({ q: searchSchema });

/** A suggested listing title while typing a search. */
export const suggestedListingSchema = listingCardSchema.pick({ title: true, slug: true });
export type SuggestedListing = z.infer<typeof suggestedListingSchema>;

/** Returns the message for the owner of a listing that was taken down. */
export const takenDownSentence = (reason: string): string => `This listing was taken down: ${reason}`;
