import { z } from 'zod';
import { publicUserSchema } from './profiles.ts';
import { createParagraphSchema, idSchema, instantSchema } from './text.ts';

/** The points that a review can praise (deals.md, "Reviews and public profiles"). */
export const reviewTags = ['On time', 'As described', 'Friendly', 'Quick replies'] as const;

export const maxReviewLength = 500;
export const maxRating = 5;
/** Number of reviews that a profile lists per page. */
export const reviewPageSize = 10;
/**
 * For how many seconds after its completion a deal can be reviewed. When this period ends, a review becomes
 * public even if the other party has not written one.
 */
export const reviewPeriodSeconds = 14 * 24 * 60 * 60;

export const reviewErrorMessages = {
  rating: 'Choose one to five stars',
  tags: 'Choose from the given words only',
  textLong: `The review must be at most ${maxReviewLength} characters`,
} as const;

/**
 * Body of a call that saves the caller's review of a deal. The caller can replace the review with another
 * call until it is public.
 */
export const reviewBodySchema = z.object({
  rating: z
    .int({ error: reviewErrorMessages.rating })
    .min(1, reviewErrorMessages.rating)
    .max(maxRating, reviewErrorMessages.rating),
  tags: z
    .array(z.enum(reviewTags, { error: reviewErrorMessages.tags }), { error: reviewErrorMessages.tags })
    .max(reviewTags.length, reviewErrorMessages.tags)
    .default([])
    .transform((tags) => reviewTags.filter((tag) => tags.includes(tag))),
  text: createParagraphSchema({
    required: reviewErrorMessages.textLong,
    max: { length: maxReviewLength, sentence: reviewErrorMessages.textLong },
  }).default(''),
});
export type ReviewBody = z.infer<typeof reviewBodySchema>;

const reviewContentSchema = z.object({
  id: idSchema,
  rating: z.int(),
  tags: z.array(z.enum(reviewTags)),
  text: z.string(),
});

/** A public review of a person. */
export const publicReviewSchema = reviewContentSchema.extend({
  /** When the review became public. */
  published_at: instantSchema,
  /** The public profile of the author, or null when that account was deleted. */
  author: publicUserSchema.nullable(),
});
export type PublicReview = z.infer<typeof publicReviewSchema>;

/** Query of the list of reviews; `cursor` is the `next_cursor` of the previous page. */
export const reviewQuerySchema = z.object({ cursor: z.string().max(200).optional() });

/** One page of the public reviews of a person, newest first. */
export const reviewPageSchema = z.object({
  items: z.array(publicReviewSchema),
  next_cursor: z.string().nullable(),
});
export type ReviewPage = z.infer<typeof reviewPageSchema>;

/** The reviews of a deal as one of its parties sees them. */
export const dealReviewsSchema = z.object({
  /** The caller's review, or null until it is written. */
  own: reviewContentSchema.extend({ is_public: z.boolean() }).nullable(),
  /** The other party's review of the caller, or null until it is public. */
  other: reviewContentSchema.nullable(),
  can_review: z.boolean(),
  /** The time until which the deal can be reviewed, or null for a deal that is not completed. */
  closes_at: instantSchema.nullable(),
});
export type DealReviews = z.infer<typeof dealReviewsSchema>;
