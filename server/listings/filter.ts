import type { Category, Condition } from '#contract/categories.ts';
import type { Days } from '#contract/game-days.ts';
import type { gameDayKinds, sizes } from '#contract/listing-queries.ts';
import { type Fragment, fragment, literal } from '#server/platform/postgres/sql-fragments.ts';
import { toContainsPattern } from './text-search.ts';

/** Filters of a list of published listings; all are optional. */
export interface Filter {
  category?: Category | undefined;
  /** Lower-cased text that a listing must contain in its searchable text (`search_text`). */
  text?: string | undefined;
  /** A category whose listings match the text too, because its label contains the text. */
  textCategory?: Category | undefined;
  minPrice?: number | undefined;
  maxPrice?: number | undefined;
  condition?: Condition | undefined;
  location?: string | undefined;
  verified?: boolean | undefined;
  gameDays?: Days | undefined;
  size?: (typeof sizes)[number] | undefined;
  kind?: (typeof gameDayKinds)[number] | undefined;
}

const published = fragment`l.status = 'published'`;

/** Returns the SQL condition for a filter. `text` is the condition for the filter's text, if it has one. */
export const toFilterCondition = (filter: Filter, text: Fragment | undefined): Fragment => {
  const conditions = [published];
  if (filter.category) conditions.push(fragment`l.category = ${filter.category}`);
  if (text)
    conditions.push(filter.textCategory ? fragment`(l.category = ${filter.textCategory} OR ${text})` : text);
  if (filter.minPrice !== undefined) conditions.push(fragment`l.price >= ${filter.minPrice}`);
  if (filter.maxPrice !== undefined) conditions.push(fragment`l.price <= ${filter.maxPrice}`);
  if (filter.condition) conditions.push(fragment`l.condition = ${filter.condition}`);
  if (filter.location)
    conditions.push(fragment`lower(l.location) LIKE ${toContainsPattern(filter.location.toLowerCase())}`);
  if (filter.verified) {
    conditions.push(fragment`EXISTS (SELECT FROM users v WHERE v.id = l.user_id AND v.usc_verified)`);
  }
  if (filter.gameDays) {
    conditions.push(fragment`l.game_date BETWEEN ${filter.gameDays.from} AND ${filter.gameDays.to}`);
  }
  // These values are constants in the statement, because PostgreSQL does not use a partial index for a parameter
  // (migrations 0021 and 0022).
  if (filter.size)
    conditions.push(fragment`private.has_size(l.title, l.description, ${literal(filter.size)})`);
  if (filter.kind)
    conditions.push(fragment`private.has_kind(l.title, l.description, ${literal(filter.kind)})`);
  return conditions.reduce((all, next) => fragment`${all} AND ${next}`);
};

/**
 * Returns whether a filter has at most a category. Most filters are of this kind, and their statements are few enough
 * to stay prepared.
 */
export const isCategoryOnly = ({ category: _, verified, ...others }: Filter): boolean =>
  !verified && Object.values(others).every((value) => value === undefined);
