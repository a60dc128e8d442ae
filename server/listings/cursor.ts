import { z } from 'zod';
import { fieldProblem } from '#contract/errors.ts';
import type { ListingSort } from '#contract/listings.ts';

/** Where a page of a list ended: the sort's own key, then creation time and id, which make it unique. */
export interface Position {
  key: string | number | null;
  /** As PostgreSQL writes it, to the microsecond. */
  createdAt: string;
  id: string;
}

const sentence = 'This place in the list cannot be found';
const instant = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?$/;
const schema = z.tuple([
  z.string(),
  z.union([z.string().max(200), z.number(), z.null()]),
  z.string().regex(instant),
  z.uuid(),
]);

const keyKinds: Record<ListingSort, z.ZodType<string | number | null>> = {
  newest: z.null(),
  'game-date': z.iso.date().nullable(),
  price: z.number(),
  'price-desc': z.number(),
  condition: z.number(),
  location: z.string(),
};

/** The opaque text a reader hands back to go on. */
export const writeCursor = (sort: ListingSort, { key, createdAt, id }: Position): string =>
  Buffer.from(JSON.stringify([sort, key, createdAt, id])).toString('base64url');

/** Reads what writeCursor made for the same sort; refuses everything else. */
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
