import { z } from 'zod';
import { fieldProblem } from '#contract/errors.ts';
import { type ListingSort, locationLength, maxPrice } from '#contract/listings.ts';

/** The end of a page: the sort key, then creation time and id, which make it unique. */
export interface Position {
  key: string | number | null;
  /** ISO 8601 in UTC with microseconds. */
  createdAt: string;
  id: string;
}

const sentence = 'This place in the list cannot be found';
// PostgreSQL has no year 0.
const inCalendar = (day: string): boolean => !day.startsWith('0000');
const schema = z.tuple([
  z.string(),
  z.union([z.string(), z.number(), z.null()]),
  z.iso.datetime().refine(inCalendar),
  z.uuid(),
]);

const price = z.number().min(0).max(maxPrice);
const keyKinds: Record<ListingSort, z.ZodType<string | number | null>> = {
  newest: z.null(),
  'game-date': z.iso.date().refine(inCalendar).nullable(),
  price,
  'price-desc': price,
  condition: z.int().min(1).max(4),
  // A character has at most two UTF-16 code units.
  location: z.string().max(2 * locationLength.max),
};

/** Returns the opaque cursor of a position. */
export const writeCursor = (sort: ListingSort, { key, createdAt, id }: Position): string =>
  Buffer.from(JSON.stringify([sort, key, createdAt, id])).toString('base64url');

/** Parses a cursor of the same sort; throws for any other text. */
export const readCursor = (sort: ListingSort, cursor: string): Position => {
  try {
    const [madeFor, key, createdAt, id] = schema.parse(
      JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')),
    );
    if (madeFor === sort) return { key: keyKinds[sort].parse(key), createdAt, id };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
  throw fieldProblem({ cursor: sentence });
};
