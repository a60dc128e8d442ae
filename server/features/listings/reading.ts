import { toCampusDay } from '#contract/campus.ts';
import { normalizeCategoryFilters } from '#contract/category-field-schemas.ts';
import { createProblem } from '#contract/errors.ts';
import { resolveGameDateRange } from '#contract/game-days.ts';
import { parseIsbn } from '#contract/isbn.ts';
import {
  type ListingPage,
  type ListingQuery,
  type ListingSort,
  maxSearchTextLength,
  type SimilarMatchesQuery,
  type SuggestedListing,
  type SuggestionQuery,
} from '#contract/listing-queries.ts';
import type { Listing, ListingCard } from '#contract/listings.ts';
import type { SitemapListings } from '#contract/page-rendering.ts';
import {
  maxExactMatchCount,
  maxSellersPerSuggestedTitle,
  maxSimilarMatches,
  maxTitleSuggestions,
  maxTitleSuggestionsPerSeller,
} from '#contract/paging.ts';
import { soldListingPageDays } from '#contract/selling.ts';
import type { App } from '#server/app.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import type { SearchRunner } from '#server/platform/postgres/search-database.ts';
import { findCategoryByLabel, isCategoryOnlyFilter, type ListingFilter } from './filter.ts';
import * as repository from './read-repository.ts';
import { removeUnusedSearchWords, searchListings } from './search-repository.ts';
import { listSimilarMatches } from './similar-search.ts';
import { decodeCursor, encodeCursor } from './sorts.ts';
import { toSearchedText } from './text-search.ts';
import { listTitleSuggestions } from './title-suggestions.ts';

/** Number of listings under "Similar Items" on a listing's page (specification §9). */
const maxSimilarItems = 4;

// Specification §7: game-day listings are sorted by game date, all others newest first.
const toListingSort = ({ q, category, sort }: ListingQuery): ListingSort => {
  if (q) return sort ?? 'relevance';
  if (sort === 'relevance') return 'newest';
  return sort ?? (category === 'game-day' ? 'game-date' : 'newest');
};

const getToday = ({ clock, config }: App): string => toCampusDay(config.campus, clock.now());

const toFilter = (app: App, query: SimilarMatchesQuery): ListingFilter => {
  const { campus } = app.config;
  const searched = toSearchedText(query.q);
  const today = getToday(app);
  return {
    today,
    category: query.category,
    ...searched,
    textCategory: searched && findCategoryByLabel(searched.text, campus.mascot),
    minPrice: query.min_price,
    maxPrice: query.max_price,
    condition: query.condition,
    location: query.location,
    verified: query.verified === 'true',
    gameDays: query.game_date && resolveGameDateRange(query.game_date, campus, app.clock.now()),
    textIsbn: query.q === undefined ? undefined : parseIsbn(query.q),
    // Pages pass values as they are in their addresses.
    ...normalizeCategoryFilters(query),
    kind: query.kind,
    seller: query.seller,
    availableOn: query.available === 'true' ? today : undefined,
  };
};

const readCountedPage = async (app: App, query: ListingQuery): Promise<repository.CountedListingCardPage> => {
  const { sql, search: runSearch, matchCounts } = app;
  const sort = toListingSort(query);
  const filter = toFilter(app, query);
  const after = query.cursor === undefined ? undefined : decodeCursor(sort, query.cursor);
  // The cursor of a search with many matches continues in the order of the newest.
  const pageSort = sort === 'relevance' && after?.key === null ? 'newest' : sort;
  const wanted = { filter, sort: pageSort, after, limit: query.limit };
  const { text } = filter;
  if (text) {
    const total = matchCounts.find(filter);
    const search = { ...wanted, filter: { ...filter, text }, countedTo: maxExactMatchCount, total };
    const read = () => runSearch((tx) => searchListings(tx, search));
    return total === undefined ? matchCounts.remember(filter, read) : read();
  }
  const run: SearchRunner = isCategoryOnlyFilter(filter) ? (work) => work(sql) : runSearch;
  const countMatches = (): Promise<number> =>
    run((tx) => repository.countMatchingListings(tx, filter, maxExactMatchCount));
  const [page, total] = await Promise.all([
    run((tx) => repository.listListingsByScan(tx, wanted)),
    matchCounts.count(filter, countMatches),
  ]);
  return { ...page, total };
};

const readPage = async (app: App, query: ListingQuery): Promise<ListingPage> => {
  const { cards, total, end } = await readCountedPage(app, query);
  return { items: cards, total, next_cursor: end ? encodeCursor(toListingSort(query), end) : null };
};

const toSubject = (app: App, slug: string) => ({
  slug,
  soldAfter: addSeconds(app.clock.now(), -soldListingPageDays * dayInSeconds),
  today: getToday(app),
});

/** Returns a page of published listings with the number of matches, exact up to 10,000. */
export const listPublishedListings = async (app: App, query: ListingQuery): Promise<ListingPage> => {
  if ((query.q?.length ?? 0) > maxSearchTextLength) return { items: [], total: 0, next_cursor: null };
  const read = () => readPage(app, query);
  // Searches are not shared: identical searches rarely run at the same time, and a request that shares a search
  // would have to wait for one that may take long.
  return query.q ? read() : app.sharedReads.pages(query, read);
};

/** Returns listings that contain other forms or spellings of the words of a search, but not its exact text. */
export const searchSimilarListings = async (app: App, query: SimilarMatchesQuery): Promise<ListingCard[]> => {
  const filter = toFilter(app, query);
  const { text } = filter;
  if (!text || text.length > maxSearchTextLength) return [];
  return app.search((tx) => listSimilarMatches(tx, { ...filter, text }, maxSimilarMatches));
};

/** Suggests titles of listings for a search that is being typed. */
export const suggestListingTitles = async (
  app: App,
  { q, per_seller }: SuggestionQuery,
): Promise<SuggestedListing[]> => {
  const searched = toSearchedText(q);
  if (!q || !searched || q.length > maxSearchTextLength) return [];
  const perSeller = per_seller === 'true';
  const limit = perSeller ? maxTitleSuggestionsPerSeller : maxTitleSuggestions;
  const sellersPerTitle = perSeller ? maxSellersPerSuggestedTitle : 1;
  const wanted = { sellersPerTitle, limit, today: getToday(app) };
  const rows = await app.search((tx) => listTitleSuggestions(tx, searched.text, wanted));
  return rows.map(({ title, slug, user_id }) => ({ title, slug, user_id }));
};

/** Returns the newest listings, without the total. */
export const listLatestListings = (app: App, limit: number): Promise<ListingCard[]> =>
  repository.listLatestListings(app.sql, { limit, today: getToday(app) });

/** Returns a listing that has a public page. Throws listing_not_found when there is none. */
export const getPublishedListing = async (app: App, slug: string): Promise<Listing> => {
  const listing = await app.sharedReads.listings(slug, () =>
    repository.findListingWithPublicPage(app.sql, toSubject(app, slug)),
  );
  if (!listing) throw createProblem('listing_not_found');
  return listing;
};

/** Returns listings that are similar to one. Throws listing_not_found when that one has no public page. */
export const listSimilarListings = async (app: App, slug: string): Promise<ListingCard[]> => {
  const cards = await repository.listSimilarListings(app.sql, toSubject(app, slug), maxSimilarItems);
  if (!cards) throw createProblem('listing_not_found');
  return cards;
};

/**
 * Returns one part of all published listings for the site map; parts have `size` listings and are numbered from 0.
 */
export const listSitemapListings = async (app: App, part: number, size: number): Promise<SitemapListings> => {
  const page = { offset: part * size, limit: size, today: getToday(app) };
  const { rows, total, changedAt } = await repository.listSitemapRows(app.sql, page);
  return {
    items: rows.map(({ slug, updated_at }) => ({ slug, updated_at: updated_at.toISOString() })),
    total,
    ...(part === 0 && size > 0 && { courses: await repository.listListedCourses(app.sql, getToday(app)) }),
    changed_at: changedAt?.toISOString() ?? null,
  };
};

/** Removes words that no published listing contains from the dictionary for similar searches. Runs daily. */
export const removeUnusedWords = ({ sql }: App): Promise<void> => removeUnusedSearchWords(sql);
