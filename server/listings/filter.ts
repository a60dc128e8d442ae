import type { Category, Condition } from '#contract/categories.ts';
import { rentedOutDealStates } from '#contract/deal-states.ts';
import type { DayRange } from '#contract/game-days.ts';
import type { gameDayKinds, merchandiseSizes } from '#contract/listing-queries.ts';
import {
  type Fragment,
  fragment,
  quoteLiteral,
  quoteLiterals,
} from '#server/platform/postgres/sql-fragments.ts';
import { toContainsPattern } from './text-search.ts';

/** Filters of a list of published listings; all are optional. */
export interface ListingFilter {
  category?: Category | undefined;
  /** Lower-cased text that a listing must contain in its searchable text (`search_text`). */
  text?: string | undefined;
  /**
   * All listings of this category match the text too, because the category's label contains the
   * text.
   */
  textCategory?: Category | undefined;
  minPrice?: number | undefined;
  maxPrice?: number | undefined;
  condition?: Condition | undefined;
  location?: string | undefined;
  verified?: boolean | undefined;
  gameDays?: DayRange | undefined;
  size?: (typeof merchandiseSizes)[number] | undefined;
  kind?: (typeof gameDayKinds)[number] | undefined;
  /** Id of the person who offers the listings. */
  seller?: string | undefined;
  /** A day (YYYY-MM-DD); leaves out rentals that somebody has on it. */
  availableOn?: string | undefined;
}

const publishedCondition = fragment`l.status = 'published'`;

/** Returns the SQL condition for listings that are rented out on a day, which is today (see `isRentedOut`). */
export const toRentedCondition = (today: string): Fragment => fragment`(
  coalesce(l.rented_until >= ${today}::date, false) OR (l.category = 'rentals' AND EXISTS (
    SELECT FROM deals d WHERE d.listing_id = l.id AND (d.state IN ${quoteLiterals(rentedOutDealStates)}
      OR (d.state = 'held' AND ${today}::date BETWEEN d.first_day AND d.last_day)))))`;

/** Returns the SQL condition for a filter. `text` is the condition for the filter's text, if it has one. */
export const toFilterCondition = (filter: ListingFilter, text: Fragment | undefined): Fragment => {
  const conditions = [publishedCondition];
  if (filter.category) conditions.push(fragment`l.category = ${filter.category}`);
  if (filter.seller) conditions.push(fragment`l.user_id = ${filter.seller}`);
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
  if (filter.availableOn !== undefined) {
    conditions.push(fragment`NOT ${toRentedCondition(filter.availableOn)}`);
  }
  // Write size and kind as constants into the statement: PostgreSQL cannot use the partial indexes
  // of migrations 0021 and 0022 for a parameter.
  if (filter.size)
    conditions.push(fragment`private.has_size(l.title, l.description, ${quoteLiteral(filter.size)})`);
  if (filter.kind)
    conditions.push(fragment`private.has_kind(l.title, l.description, ${quoteLiteral(filter.kind)})`);
  return conditions.reduce((all, next) => fragment`${all} AND ${next}`);
};

/**
 * Returns whether a filter contains nothing except possibly a category and availability. Most requests have such a
 * filter, and these filters result in only a few different statements, which can stay prepared.
 */
export const isCategoryOnly = ({
  category: _,
  availableOn: __,
  verified,
  ...others
}: ListingFilter): boolean => !verified && Object.values(others).every((value) => value === undefined);
