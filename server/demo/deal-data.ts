import { z } from 'zod';
import { rentalPhotoStepSchema } from '#contract/rental-photos.ts';
import { reviewBodySchema } from '#contract/reviews.ts';
import { demoTimePattern } from './demo-times.ts';

const timeSchema = z.string().regex(demoTimePattern);
const partySchema = z.enum(['buyer', 'seller']);
const act = { at: timeSchema, by: partySchema };

const messageSchema = z.strictObject({ ...act, text: z.string() });
const reviewSchema = z.strictObject({ ...act, review: reviewBodySchema });
/** Photos of the condition of a rented item: file names in `demo/pictures/`, and when they were taken. */
const rentalPhotosSchema = z.strictObject({
  ...act,
  photos: z.array(z.string()).min(1),
  step: rentalPhotoStepSchema,
});
/**
 * The buyer's first step in a deal: an offer, or a claim of a free item. Rental days are counted from today.
 */
const startSchema = z.strictObject({
  at: timeSchema,
  start: z.strictObject({
    price: z.number().optional(),
    days: z.tuple([z.int(), z.int()]).optional(),
    /** The times of pick-up and return (HH:MM); null for the whole day. */
    times: z.tuple([z.string().nullable(), z.string().nullable()]).optional(),
    text: z.string().optional(),
  }),
});
const transitionSchema = z.strictObject({
  ...act,
  take: z.string(),
  price: z.number().optional(),
  reason: z.string().optional(),
  /** Free text for where to meet, used on a campus without meeting spots. */
  place: z.string().optional(),
  /** Index of the meeting spot in the list of the campus, which is sorted by name. */
  spot: z.int().optional(),
  times: z.array(timeSchema).optional(),
  /** Index of the chosen time among the suggested times. */
  choice: z.int().optional(),
  lastDay: z.int().optional(),
});

export const demoDealSchema = z.strictObject({
  listing: z.string(),
  buyer: z.string(),
  steps: z.array(z.union([messageSchema, rentalPhotosSchema, reviewSchema, startSchema, transitionSchema])),
  /** The party that has not read the latest step or message of the other party. */
  unread: partySchema.optional(),
});

export type DemoDeal = z.infer<typeof demoDealSchema>;
export type DemoDealStep = DemoDeal['steps'][number];
export type DemoRentalPhotos = z.infer<typeof rentalPhotosSchema>;
export type DemoTransition = z.infer<typeof transitionSchema>;
