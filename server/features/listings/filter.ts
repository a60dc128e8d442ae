import { type Category, type Condition, getCategoryLabel } from '#contract/categories.ts';
import {
  type CategoryFilterField,
  type CategoryFilters,
  categoryFilterFields,
} from '#contract/category-fields.ts';
import { rentedOutDealStates, reservingDealStates } from '#contract/deal-states.ts';
import type { DayRange } from '#contract/game-days.ts';
import { toIsbn10 } from '#contract/isbn.ts';
import { type gameDayListingKinds, merchandiseSizes } from '#contract/listing-queries.ts';
import { createTextMatcher, foldText } from '#contract/search-text.ts';
import { toListedCondition } from '#server/features/listing-visibility/sql.ts';
import { toContainsPattern } from '#server/platform/postgres/like-pattern.ts';
import {
  type Fragment,
  fragment,
  identifier,
  joinFragments,
  quoteLiteral,
  quoteLiterals,
  type SqlValue,
} from '#server/platform/postgres/sql-fragments.ts';
import {
  type SearchedText,
  toContainsCondition,
  toLowerCase,
  toPlainCondition,
  toTextCondition,
} from './text-search.ts';

/** Filters of a list of listings; all but the date are optional. */
export interface ListingFilter extends CategoryFilters {
  /** Current date on the campus (YYYY-MM-DD). */
  today: string;
  category?: Category | undefined;
  /** Text that a listing must contain in its searchable text, as in `SearchedText`. */
  text?: string | undefined;
  exactText?: SearchedText['exactText'];
  /**
   * A category whose label contains the text: all its listings match the text, even if their own texts do not contain
   * it.
   */
  textCategory?: Category | undefined;
  /** The ISBN that the text consists of: listings of this book match, even if their own texts do not contain it. */
  textIsbn?: string | undefined;
  minPrice?: number | undefined;
  maxPrice?: number | undefined;
  condition?: Condition | undefined;
  location?: string | undefined;
  verified?: boolean | undefined;
  gameDays?: DayRange | undefined;
  kind?: (typeof gameDayListingKinds)[number] | undefined;
  /** Id of the person who offers the listings. */
  seller?: string | undefined;
  /** A day (YYYY-MM-DD). The filter excludes rentals that are rented out on that day. */
  availableOn?: string | undefined;
}

/** The category whose label contains the mascot's name; listings' searchable texts do not contain this label. */
const labeledCategory: Category = 'trojan-merch';
const toFoldedLabel = (mascot: string): string => foldText(getCategoryLabel(labeledCategory, mascot));

/** Returns the category whose listings all match a folded text, because its label contains the text. */
export const findCategoryByLabel = (text: string, mascot: string): Category | undefined =>
  createTextMatcher(text)(toFoldedLabel(mascot)) ? labeledCategory : undefined;

/** Returns the same as `findCategoryByLabel`, as an SQL expression for the value of `text`: the category, or null. */
export const toCategoryByLabelSql = (text: Fragment, mascot: string): Fragment =>
  fragment`CASE WHEN ${toContainsCondition(fragment`${toFoldedLabel(mascot)}::text`, text)}
    THEN ${quoteLiteral(labeledCategory)} END`;

/**
 * Returns the texts of a listing that a search reads: the listing is found if one of them contains the searched text or
 * a variant of it.
 */
export const listSearchableTexts = (
  listing: {
    search_text: string;
    folded_text: string | null;
    isbn: string | null;
    category: Category | null;
  },
  mascot: string,
): string[] => [
  listing.search_text,
  ...(listing.folded_text === null ? [] : [listing.folded_text]),
  ...(listing.category === labeledCategory ? [toFoldedLabel(mascot)] : []),
  ...(listing.isbn === null ? [] : [listing.isbn, toIsbn10(listing.isbn)?.toLowerCase() ?? '']),
];

/**
 * Returns the SQL condition for listings that are rented out today (the campus date, YYYY-MM-DD), like `isRentedOut`.
 */
export const toRentedOutCondition = (today: string): Fragment => fragment`(
  coalesce(l.rented_until >= ${today}::date, false) OR (l.category = 'rentals' AND EXISTS (
    SELECT FROM deals d WHERE d.listing_id = l.id AND (d.state IN ${quoteLiterals(rentedOutDealStates)}
      OR (d.state = 'held' AND ${today}::date BETWEEN d.first_day AND d.last_day)))))`;

/**
 * Returns the SQL clauses that select, from the deals `d`, the rental that the listing `l` shows on a day (YYYY-MM-DD):
 * the one that is out, or else the current or next one that is held. The hold of a renter who never came may last
 * longer than its days.
 */
export const toShownRentalClauses = (today: string): Fragment => fragment`
  WHERE l.category = 'rentals' AND d.listing_id = l.id AND d.state IN ${quoteLiterals(reservingDealStates)}
    AND (d.state <> 'held' OR d.last_day >= ${today}::date)
  ORDER BY d.state = 'held', d.first_day, d.pickup_time NULLS FIRST LIMIT 1`;

/**
 * The SQL condition of each filter. In a search for listings, the values are parameters; in the
 * search for saved searches that match a listing, they are columns. Sharing the conditions ensures
 * that both give the same results.
 */
const filterConditions = {
  category: (category: SqlValue) => fragment`l.category = ${category}`,
  seller: (userId: SqlValue) => fragment`l.user_id = ${userId}`,
  textCategory: (category: SqlValue) => fragment`l.category = ${category}`,
  textIsbn: (isbn: SqlValue) => fragment`l.isbn = ${isbn}`,
  minPrice: (price: SqlValue) => fragment`l.price >= ${price}`,
  maxPrice: (price: SqlValue) => fragment`l.price <= ${price}`,
  condition: (condition: SqlValue) => fragment`l.condition = ${condition}`,
  location: (location: SqlValue) => toPlainCondition(fragment`private.fold(l.location)`, location),
  verified: fragment`EXISTS (SELECT FROM users v WHERE v.id = l.user_id AND v.usc_verified)`,
  gameDays: (from: SqlValue, to: SqlValue) => fragment`l.game_date BETWEEN ${from} AND ${to}`,
  available: (today: string) => fragment`NOT ${toRentedOutCondition(today)}`,
  kind: (kind: SqlValue) => fragment`private.has_kind(l.title, l.description, ${kind})`,
  tickets: fragment`private.offers_tickets(
    l.category, l.title, l.description, l.section, l.seat_row, l.seats, l.ticket_count, l.ticket_sale, l.face_value)`,
};

/**
 * Returns the SQL condition that a field of a category has a value. A size that words can name is also the one of a listing
 * without a size that names it; the condition is the one of the partial indexes of migration 0166.
 */
const toFieldCondition = ({ column, filter }: CategoryFilterField, value: SqlValue): Fragment => {
  const isEqual = fragment`${identifier(`l.${column}`)} = ${value}`;
  return filter === 'words'
    ? fragment`coalesce(${isEqual}, private.has_size(l.title, l.description, ${value}))`
    : isEqual;
};

// PostgreSQL uses the partial indexes of sizes only for constants.
const toChosenFieldCondition = (field: CategoryFilterField, value: string | number): Fragment =>
  field.filter === 'words'
    ? toFieldCondition(
        { ...field, filter: (merchandiseSizes as readonly unknown[]).includes(value) ? 'words' : 'equals' },
        quoteLiteral(String(value)),
      )
    : toFieldCondition(field, value);

const joinConditions = (conditions: readonly Fragment[]): Fragment =>
  conditions.reduce((all, next) => fragment`${all} AND ${next}`);

/** Returns the condition that one of several conditions is met. */
export const joinAlternatives = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 1 ? (conditions[0] as Fragment) : fragment`(${joinFragments(conditions, ' OR ')})`;

/** Returns the conditions for listings that match the text of a filter, whatever their own texts contain. */
export const listTextAlternatives = ({
  textCategory,
  textIsbn,
}: Pick<ListingFilter, 'textCategory' | 'textIsbn'>): Fragment[] => [
  ...(textCategory ? [filterConditions.textCategory(textCategory)] : []),
  ...(textIsbn ? [filterConditions.textIsbn(textIsbn)] : []),
];

/**
 * Returns the SQL condition for a filter. `text` is the condition for the filter's text, if it has one, and `listed` the
 * condition for listings that are in lists.
 */
export const toFilterCondition = (
  filter: ListingFilter,
  text: Fragment | undefined,
  listed = toListedCondition(filter.today),
): Fragment => {
  const conditions = [listed];
  if (filter.category) conditions.push(filterConditions.category(filter.category));
  if (filter.seller) conditions.push(filterConditions.seller(filter.seller));
  if (text) conditions.push(joinAlternatives([...listTextAlternatives(filter), text]));
  if (filter.minPrice !== undefined) conditions.push(filterConditions.minPrice(filter.minPrice));
  if (filter.maxPrice !== undefined) conditions.push(filterConditions.maxPrice(filter.maxPrice));
  if (filter.condition) conditions.push(filterConditions.condition(filter.condition));
  const location = foldText(filter.location ?? '');
  if (location) conditions.push(filterConditions.location(location));
  if (filter.verified) conditions.push(filterConditions.verified);
  if (filter.gameDays) conditions.push(filterConditions.gameDays(filter.gameDays.from, filter.gameDays.to));
  if (filter.availableOn !== undefined) conditions.push(filterConditions.available(filter.availableOn));
  for (const field of categoryFilterFields) {
    const value = filter[field.column];
    if (value !== undefined) conditions.push(toChosenFieldCondition(field, value));
  }
  // Write the kind as a constant into the statement: PostgreSQL cannot use the partial indexes of migration 0026 for a
  // parameter.
  if (filter.kind === 'tickets') conditions.push(filterConditions.tickets);
  else if (filter.kind) conditions.push(filterConditions.kind(quoteLiteral(filter.kind)));
  return joinConditions(conditions);
};

/** Returns the LIKE pattern that the previous version of the server compares with a listing's location in lower case. */
export const toLocationPattern = (location: string): string => toContainsPattern(toLowerCase(location));

/** SQL expressions for the filters of stored searches; a filter whose value is null does not restrict the results. */
export type FilterColumns = Record<
  | 'category'
  | 'text'
  | 'exactText'
  | 'textCategory'
  | 'textIsbn'
  | 'minPrice'
  | 'maxPrice'
  | 'condition'
  | 'location'
  | 'isVerified'
  | 'isAvailable'
  | 'firstGameDay'
  | 'lastGameDay'
  | 'kind'
  | 'seller'
  /** The query as JSON, for the fields of categories. */
  | 'query',
  Fragment
>;

/**
 * Returns the SQL condition for listings that match a stored search, whose filters are columns: the condition that
 * `toFilterCondition` returns for the same filters as parameters. `today` is YYYY-MM-DD.
 */
export const toStoredFilterCondition = (columns: FilterColumns, today: string): Fragment => {
  const ifSet = (value: Fragment, condition: Fragment): Fragment =>
    fragment`(${value} IS NULL OR ${condition})`;
  const { category, text, exactText, minPrice, maxPrice, condition, location, kind, seller } = columns;
  return joinConditions([
    toListedCondition(today),
    ifSet(category, filterConditions.category(category)),
    ifSet(minPrice, filterConditions.minPrice(minPrice)),
    ifSet(maxPrice, filterConditions.maxPrice(maxPrice)),
    ifSet(condition, filterConditions.condition(condition)),
    ifSet(seller, filterConditions.seller(seller)),
    ifSet(columns.firstGameDay, filterConditions.gameDays(columns.firstGameDay, columns.lastGameDay)),
    ifSet(
      exactText,
      joinAlternatives([
        filterConditions.textCategory(columns.textCategory),
        filterConditions.textIsbn(columns.textIsbn),
        toTextCondition({ text, exactText }),
      ]),
    ),
    ifSet(location, filterConditions.location(location)),
    fragment`(NOT ${columns.isVerified} OR ${filterConditions.verified})`,
    fragment`(NOT ${columns.isAvailable} OR ${filterConditions.available(today)})`,
    ...categoryFilterFields.map((field) => {
      const text = fragment`(${columns.query} ->> ${quoteLiteral(field.column)})`;
      return ifSet(text, toFieldCondition(field, field.input === 'number' ? fragment`${text}::int` : text));
    }),
    ifSet(
      kind,
      fragment`CASE ${kind} WHEN 'tickets' THEN ${filterConditions.tickets} ELSE ${filterConditions.kind(kind)} END`,
    ),
  ]);
};

/**
 * Returns the SQL condition for listings that match a stored category, price and list of words: those that a search for each
 * of the words finds, with the category and the price as filters. `isbns` has for each word the ISBN that it is, or null. A
 * null price does not restrict the results. `today` is YYYY-MM-DD.
 */
export const toStoredWordsCondition = (
  { category, maxPrice, words, isbns }: Record<'category' | 'maxPrice' | 'words' | 'isbns', Fragment>,
  { today, mascot }: { today: string; mascot: string },
): Fragment => {
  const text = fragment`nullif(private.fold(searched.word), '')`;
  const found = joinAlternatives([
    filterConditions.textCategory(toCategoryByLabelSql(text, mascot)),
    filterConditions.textIsbn(fragment`searched.isbn`),
    toTextCondition({ text, exactText: fragment`searched.word` }),
  ]);
  return joinConditions([
    toListedCondition(today),
    filterConditions.category(category),
    fragment`(${maxPrice} IS NULL OR ${filterConditions.maxPrice(maxPrice)})`,
    fragment`NOT EXISTS (
      SELECT FROM unnest(${words}, ${isbns}) AS searched (word, isbn) WHERE NOT coalesce(${found}, false))`,
  ]);
};

/**
 * Returns whether a filter contains nothing except possibly a category and availability. Most requests have such a
 * filter, and these filters result in only a few different statements, which can stay prepared.
 */
export const isCategoryOnlyFilter = ({
  today: _,
  category: __,
  availableOn: ___,
  verified,
  ...others
}: ListingFilter): boolean => !verified && Object.values(others).every((value) => value === undefined);
