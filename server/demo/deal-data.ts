import { z } from 'zod';
import { reviewBodySchema } from '#contract/reviews.ts';
import { demoTimePattern } from './schedule.ts';

const timeSchema = z.string().regex(demoTimePattern);
const partySchema = z.enum(['buyer', 'seller']);
const act = { at: timeSchema, by: partySchema };

const messageSchema = z.strictObject({ ...act, text: z.string() });
const reviewSchema = z.strictObject({ ...act, review: reviewBodySchema });
/** The buyer's first step: an offer, or a claim of a free item. Rental days are counted from today. */
const startSchema = z.strictObject({
  at: timeSchema,
  start: z.strictObject({
    price: z.number().optional(),
    days: z.tuple([z.int(), z.int()]).optional(),
    text: z.string().optional(),
  }),
});
const transitionSchema = z.strictObject({
  ...act,
  take: z.string(),
  price: z.number().optional(),
  reason: z.string().optional(),
  /** Where to meet on a campus without meeting spots, as free text. */
  place: z.string().optional(),
  /** Position of the meeting spot among those of the campus, by name. */
  spot: z.int().optional(),
  times: z.array(timeSchema).optional(),
  /** Position of the chosen time among the suggested ones. */
  choice: z.int().optional(),
  lastDay: z.int().optional(),
});

export const demoDealSchema = z.strictObject({
  listing: z.string(),
  buyer: z.string(),
  steps: z.array(z.union([messageSchema, reviewSchema, startSchema, transitionSchema])),
  /** The party that has not read the other party's last step or message. */
  unread: partySchema.optional(),
});

export type DemoDeal = z.infer<typeof demoDealSchema>;
export type DemoDealStep = DemoDeal['steps'][number];
export type DemoTransition = z.infer<typeof transitionSchema>;
