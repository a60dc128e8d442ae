import type { ListingSort } from '#contract/listings.ts';
import type { Fragment, Queryable } from '#server/platform/database.ts';
import type { Position } from './cursor.ts';

interface Sort {
  /** What is ordered by before creation time and id; read back to say where a page ended. */
  key: Fragment;
  orderBy: Fragment;
  /** What comes after a position. */
  after: Fragment;
}

const newestOrder = (sql: Queryable) => sql`l.created_at DESC, l.id DESC`;

/** Every order of a list ends with "newest first", so that no two listings ever share a place. */
export const sortOf = (sql: Queryable, name: ListingSort, position: Position | undefined): Sort => {
  const { key = null, createdAt = null, id = null } = position ?? {};
  // By way of text: a parameter of the type timestamptz would pass through a Date and lose its microseconds.
  const older = sql`(l.created_at, l.id) < (${createdAt}::text::timestamptz, ${id}::uuid)`;
  const newest = newestOrder(sql);

  const ascending = (expression: Fragment, type: Fragment): Sort => ({
    key: expression,
    orderBy: sql`${expression}, ${newest}`,
    // The first comparison says nothing new; it tells an index where to begin.
    after: sql`(${expression} >= ${key}::${type}
      AND (${expression} > ${key}::${type} OR ${older}))`,
  });

  switch (name) {
    case 'newest':
      return { key: sql`NULL::text`, orderBy: newest, after: older };
    case 'game-date':
      return {
        key: sql`l.game_date`,
        orderBy: sql`l.game_date ASC NULLS LAST, ${newest}`,
        after:
          key === null
            ? sql`(l.game_date IS NULL AND ${older})`
            : sql`(l.game_date > ${key}::date OR l.game_date IS NULL OR (l.game_date = ${key}::date AND ${older}))`,
      };
    case 'price':
      return ascending(sql`l.price`, sql`numeric`);
    case 'price-desc':
      return {
        key: sql`l.price`,
        orderBy: sql`l.price DESC, ${newest}`,
        after: sql`(l.price <= ${key}::numeric AND (l.price < ${key}::numeric OR ${older}))`,
      };
    case 'condition':
      return ascending(
        sql`(CASE l.condition WHEN 'new' THEN 1 WHEN 'like-new' THEN 2 WHEN 'good' THEN 3 ELSE 4 END)`,
        sql`int`,
      );
    case 'location':
      return ascending(sql`lower(l.location)`, sql`text`);
  }
};
