import { z } from 'zod';
import { createFieldProblem } from '#contract/errors.ts';
import { locationLength } from '#contract/listing-form.ts';
import type { ListingSort } from '#contract/listing-queries.ts';
import { maxStoredPrice } from '#contract/price-limits.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

/**
 * Position of the last listing of a page: the sort key, the creation time and the id. The last two make the position
 * unique.
 */
export interface ListingPosition {
  key: string | number | null;
  /** Creation time in ISO 8601, in UTC and with microseconds. */
  createdAt: string;
  id: string;
}

const invalidCursorSentence = 'This place in the list cannot be found';
// PostgreSQL rejects timestamps in year 0, so a forged cursor with such a time must be refused before it is used in a
// query.
const isYearStorable = (day: string): boolean => !day.startsWith('0000');
const cursorSchema = z.tuple([
  z.string(),
  z.union([z.string(), z.number(), z.null()]),
  z.iso.datetime().refine(isYearStorable),
  z.uuid(),
]);

const priceKeySchema = z.number().min(0).max(maxStoredPrice);
const sortKeySchemas: Record<ListingSort, z.ZodType<string | number | null>> = {
  newest: z.null(),
  relevance: z.int().min(0).max(1),
  'game-date': z.iso.date().refine(isYearStorable).nullable(),
  price: priceKeySchema,
  'price-desc': priceKeySchema,
  condition: z.int().min(1).max(4),
  // The maximum length counts characters (code points), but this schema counts UTF-16 code units, up to two per
  // character.
  location: z.string().max(2 * locationLength.max),
};

/** Encodes a position as an opaque cursor. */
export const encodeCursor = (sort: ListingSort, { key, createdAt, id }: ListingPosition): string => {
  const madeFor = sort === 'relevance' && key === null ? 'newest' : sort;
  return Buffer.from(JSON.stringify([madeFor, key, createdAt, id])).toString('base64url');
};

/**
 * Decodes a cursor that was created for the same sort order. A search by relevance also accepts a cursor of the newest
 * listings, because it lists many matches in that order. Throws validation_failed for any other text.
 */
export const decodeCursor = (sort: ListingSort, cursor: string): ListingPosition => {
  try {
    const [madeFor, key, createdAt, id] = cursorSchema.parse(
      JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')),
    );
    if (madeFor === sort) return { key: sortKeySchemas[sort].parse(key), createdAt, id };
    if (madeFor === 'newest' && sort === 'relevance')
      return { key: sortKeySchemas.newest.parse(key), createdAt, id };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
  throw createFieldProblem({ cursor: invalidCursorSentence });
};

interface SortOrder {
  /**
   * The first sort key; the creation time and the id follow it. A query for a page also selects this key, for the
   * cursor.
   */
  key: Fragment;
  orderBy: Fragment;
  /** Returns the SQL condition for the rows that follow a position in this sort order. */
  after(position: ListingPosition): Fragment;
}

export const newestFirst = fragment`l.created_at DESC, l.id DESC`;
const noCondition = fragment``;

// The time is passed as text, because the driver would convert a timestamptz parameter to a Date and lose the
// microseconds.
const toOlderThanCondition = ({ createdAt, id }: ListingPosition): Fragment =>
  fragment`(l.created_at, l.id) < (${createdAt}::text::timestamptz, ${id}::uuid)`;

const createAscendingOrder = (key: Fragment, type: Fragment): SortOrder => ({
  key,
  orderBy: fragment`${key}, ${newestFirst}`,
  // The first comparison is redundant, but it lets PostgreSQL start reading the index at the right
  // entry.
  after: (position) => fragment`
    (${key} >= ${position.key}::${type} AND (${key} > ${position.key}::${type} OR ${toOlderThanCondition(position)}))`,
});

const newestOrder: SortOrder = {
  key: fragment`NULL::text`,
  orderBy: newestFirst,
  after: toOlderThanCondition,
};

/** The sort orders. All of them end with "newest first" and the id, so that every position is unique. */
const sortOrders: Record<ListingSort, SortOrder> = {
  newest: newestOrder,
  // Only the rows of `listCountedMatches` have the column `title_rank`.
  relevance: createAscendingOrder(fragment`l.title_rank`, fragment`int`),
  'game-date': {
    key: fragment`l.game_date`,
    orderBy: fragment`l.game_date ASC NULLS LAST, ${newestFirst}`,
    after: (position) =>
      position.key === null
        ? fragment`(l.game_date IS NULL AND ${toOlderThanCondition(position)})`
        : fragment`(l.game_date > ${position.key}::date OR l.game_date IS NULL
            OR (l.game_date = ${position.key}::date AND ${toOlderThanCondition(position)}))`,
  },
  price: createAscendingOrder(fragment`l.price`, fragment`numeric`),
  'price-desc': {
    key: fragment`l.price`,
    orderBy: fragment`l.price DESC, ${newestFirst}`,
    after: (position) => fragment`
      (l.price <= ${position.key}::numeric AND (l.price < ${position.key}::numeric OR ${toOlderThanCondition(position)}))`,
  },
  condition: createAscendingOrder(
    fragment`(CASE l.condition WHEN 'new' THEN 1 WHEN 'like-new' THEN 2 WHEN 'good' THEN 3 ELSE 4 END)`,
    fragment`int`,
  ),
  location: createAscendingOrder(fragment`lower(l.location)`, fragment`text`),
};

/** Returns the SQL parts of a sort order; `after` begins with AND and is empty for the first page. */
export const toSortSql = (name: ListingSort, position: ListingPosition | undefined) => {
  const { key, orderBy, after } = sortOrders[name];
  return { key, orderBy, after: position ? fragment`AND ${after(position)}` : noCondition };
};
