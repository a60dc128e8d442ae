import { z } from 'zod';
import { fieldProblem } from '#contract/errors.ts';
import { type ListingSort, locationLength, maxPrice } from '#contract/listings.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

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

interface Order {
  /** The sort key before creation time and id; also selected for the cursor. */
  key: Fragment;
  orderBy: Fragment;
  /** Returns the condition for rows after a position. */
  after(position: Position): Fragment;
}

export const newestFirst = fragment`l.created_at DESC, l.id DESC`;
const nothing = fragment``;

/** Returns an instant to the microsecond, for a position. */
export const microseconds = (instant: Fragment): Fragment =>
  fragment`to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

// Pass it as text: a timestamptz parameter would become a Date and lose its microseconds.
const older = ({ createdAt, id }: Position): Fragment =>
  fragment`(l.created_at, l.id) < (${createdAt}::text::timestamptz, ${id}::uuid)`;

const ascending = (key: Fragment, type: Fragment): Order => ({
  key,
  orderBy: fragment`${key}, ${newestFirst}`,
  // The first comparison says nothing new; it tells an index where to begin.
  after: (position) => fragment`
    (${key} >= ${position.key}::${type} AND (${key} > ${position.key}::${type} OR ${older(position)}))`,
});

/** All orders end with "newest first" and the id, so that every position is unique. */
const orders: Record<ListingSort, Order> = {
  newest: { key: fragment`NULL::text`, orderBy: newestFirst, after: older },
  'game-date': {
    key: fragment`l.game_date`,
    orderBy: fragment`l.game_date ASC NULLS LAST, ${newestFirst}`,
    after: (position) =>
      position.key === null
        ? fragment`(l.game_date IS NULL AND ${older(position)})`
        : fragment`(l.game_date > ${position.key}::date OR l.game_date IS NULL
            OR (l.game_date = ${position.key}::date AND ${older(position)}))`,
  },
  price: ascending(fragment`l.price`, fragment`numeric`),
  'price-desc': {
    key: fragment`l.price`,
    orderBy: fragment`l.price DESC, ${newestFirst}`,
    after: (position) => fragment`
      (l.price <= ${position.key}::numeric AND (l.price < ${position.key}::numeric OR ${older(position)}))`,
  },
  condition: ascending(
    fragment`(CASE l.condition WHEN 'new' THEN 1 WHEN 'like-new' THEN 2 WHEN 'good' THEN 3 ELSE 4 END)`,
    fragment`int`,
  ),
  location: ascending(fragment`lower(l.location)`, fragment`text`),
};

/** Returns the parts of an order; `after` begins with AND and is empty for the first page. */
export const sortOf = (name: ListingSort, position: Position | undefined) => {
  const { key, orderBy, after } = orders[name];
  return { key, orderBy, after: position ? fragment`AND ${after(position)}` : nothing };
};
