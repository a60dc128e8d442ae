import { z } from 'zod';
import type { CampusPrices } from './campus.ts';
import { categories, postableCategories } from './categories.ts';
import { type CategorySearchColumn, categorySearchColumns } from './category-fields.ts';
import { addDays } from './days.ts';
import {
  createOptionalPriceSchema,
  listingErrorMessages,
  titleLength as listingTitleLength,
} from './listing-form.ts';
import { listingCardSchema } from './listings.ts';
import { maxStoredPrice } from './price-limits.ts';
import { publicUserSchema } from './profiles.ts';
import {
  createParagraphSchema,
  createSingleLineTextSchema,
  createStorableTextSchema,
  idSchema,
  instantSchema,
  pictographPattern,
} from './text.ts';

/** For how many days a wanted post is open at most. */
export const maxWantedDays = 30;
/** Maximum number of own listings among which a person chooses the answer to a wanted post. */
export const maxListingsToAnswerWith = 50;
/** Shorter than for a listing: words that only fill up a title would keep it from matching. */
export const wantedTitleLength = { min: 3, max: listingTitleLength.max } as const;
export const wantedAnswerLength = 1000;

export const wantedErrorMessages = {
  titleShort: `Title must be at least ${wantedTitleLength.min} characters`,
  titleLong: listingErrorMessages.titleLong,
  titleEmoji: listingErrorMessages.titleEmoji,
  category: listingErrorMessages.category,
  until: `Choose a day within the next ${maxWantedDays} days`,
  answer: 'Please write a message',
  answerLong: 'A message has at most 1,000 characters',
} as const;

/** What a person looks for. Without a highest price, any price matches. `today` is YYYY-MM-DD. */
export const createWantedPostSchema = (today: string, campus: CampusPrices) =>
  z.object({
    title: createSingleLineTextSchema({
      required: wantedErrorMessages.titleShort,
      min: { length: wantedTitleLength.min, sentence: wantedErrorMessages.titleShort },
      max: { length: wantedTitleLength.max, sentence: wantedErrorMessages.titleLong },
    })
      .refine((value) => !pictographPattern.test(value), wantedErrorMessages.titleEmoji)
      .refine((value) => /[\p{L}\p{N}]/u.test(value), wantedErrorMessages.titleShort),
    category: z.enum(postableCategories, { error: wantedErrorMessages.category }),
    maxPrice: createOptionalPriceSchema(campus),
    until: z.iso
      .date({ error: wantedErrorMessages.until })
      .refine((day) => day >= today && day <= addDays(today, maxWantedDays), wantedErrorMessages.until),
  });
export type WantedPostBody = z.output<ReturnType<typeof createWantedPostSchema>>;

/** A new wanted post; the same `clientId` again creates no second one. */
export const createNewWantedPostSchema = (today: string, campus: CampusPrices) =>
  createWantedPostSchema(today, campus).extend({ clientId: idSchema });
export type NewWantedPost = z.output<ReturnType<typeof createNewWantedPostSchema>>;

const wantedContentSchema = z.object({
  id: idSchema,
  title: z.string(),
  category: z.enum(postableCategories),
  max_price: z.number().nullable(),
  /** The last day, YYYY-MM-DD. */
  until: z.string(),
  created_at: instantSchema,
});

/** An open wanted post, as everybody sees it. */
export const wantedPostSchema = wantedContentSchema.extend({ user: publicUserSchema });
export type WantedPost = z.output<typeof wantedPostSchema>;

export const wantedQuerySchema = z.object({
  category: z.enum(categories).optional(),
  /** Text that the title must contain. */
  q: createStorableTextSchema('Please search for something shorter', 10_000).optional(),
  cursor: z.string().max(200).optional(),
});
export type WantedQuery = z.output<typeof wantedQuerySchema>;

export const wantedPageSchema = z.object({
  items: z.array(wantedPostSchema),
  next_cursor: z.string().nullable(),
});
export type WantedPage = z.output<typeof wantedPageSchema>;

/** A wanted post of the caller. */
export const ownWantedPostSchema = wantedContentSchema.extend({
  state: z.enum(['open', 'ended', 'taken_down']),
  /** Why moderators took the post down. */
  hidden_reason: z.string().nullable(),
});
export type OwnWantedPost = z.output<typeof ownWantedPostSchema>;

const fieldTextSchema = createStorableTextSchema(listingErrorMessages.titleLong, 400).optional();

/** What decides which wanted posts a listing matches that is being written. */
export const wantedMatchBodySchema = z.object({
  title: createStorableTextSchema(listingErrorMessages.titleLong, 400),
  description: createStorableTextSchema(listingErrorMessages.descriptionLong, 5000),
  location: createStorableTextSchema(listingErrorMessages.locationLong, 1000),
  category: z.enum(postableCategories),
  price: z.number().min(0).max(maxStoredPrice),
  ...(Object.fromEntries(categorySearchColumns.map((column) => [column, fieldTextSchema])) as Record<
    CategorySearchColumn,
    typeof fieldTextSchema
  >),
});
export type WantedMatchBody = z.output<typeof wantedMatchBodySchema>;

/** The number of people who look for something. */
export const wantedCountSchema = z.object({ people: z.int() });

/** A published listing of the caller, with which they can answer a wanted post. */
export const answeringListingSchema = listingCardSchema
  .pick({ id: true, title: true, price: true, rental_period: true, category: true, cover: true })
  .extend({ matches: z.boolean() });
export type AnsweringListing = z.output<typeof answeringListingSchema>;

/** The first message about one of the caller's listings to the person who wants something. */
export const wantedAnswerSchema = z.object({
  listing_id: idSchema,
  text: createParagraphSchema({
    required: wantedErrorMessages.answer,
    min: { length: 1, sentence: wantedErrorMessages.answer },
    max: { length: wantedAnswerLength, sentence: wantedErrorMessages.answerLong },
  }),
  client_id: idSchema,
});
export type WantedAnswer = z.output<typeof wantedAnswerSchema>;
