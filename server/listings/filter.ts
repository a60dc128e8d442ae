import type { Category, Condition } from '#contract/categories.ts';
import type { gameDayKinds, sizes } from '#contract/listings.ts';
import { type Fragment, fragment } from '#server/platform/database.ts';
import type { Days } from './game-days.ts';
import { contains } from './text-search.ts';
import { kindPattern, sizePattern, someKindPattern } from './words.ts';

/** What a list is narrowed down to; everything optional. */
export interface Filter {
  category?: Category | undefined;
  /** Lower-cased text to be found anywhere in what search looks through. */
  text?: string | undefined;
  /** A category whose label, which depends on the campus, contains the text. */
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

/** Returns the conditions of a filter; `text` is how its text is found, if it has one. */
export const conditionsOf = (filter: Filter, text: Fragment | undefined): Fragment => {
  const conditions = [published];
  if (filter.category) conditions.push(fragment`l.category = ${filter.category}`);
  if (text)
    conditions.push(filter.textCategory ? fragment`(l.category = ${filter.textCategory} OR ${text})` : text);
  if (filter.minPrice !== undefined) conditions.push(fragment`l.price >= ${filter.minPrice}`);
  if (filter.maxPrice !== undefined) conditions.push(fragment`l.price <= ${filter.maxPrice}`);
  if (filter.condition) conditions.push(fragment`l.condition = ${filter.condition}`);
  if (filter.location)
    conditions.push(fragment`lower(l.location) LIKE ${contains(filter.location.toLowerCase())}`);
  if (filter.verified) {
    conditions.push(fragment`EXISTS (SELECT FROM users v WHERE v.id = l.user_id AND v.usc_verified)`);
  }
  if (filter.gameDays) {
    conditions.push(fragment`l.game_date BETWEEN ${filter.gameDays.from} AND ${filter.gameDays.to}`);
  }
  if (filter.size) conditions.push(fragment`l.title || ' ' || l.description ~ ${sizePattern(filter.size)}`);
  if (filter.kind) {
    const pattern = kindPattern(filter.kind);
    conditions.push(
      fragment`CASE WHEN l.title ~* ${someKindPattern} THEN l.title ~* ${pattern} ELSE l.description ~* ${pattern} END`,
    );
  }
  return conditions.reduce((all, next) => fragment`${all} AND ${next}`);
};
