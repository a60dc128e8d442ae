import { type Campus, toCampusDay } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { resolveGameDateRange } from '#contract/game-days.ts';
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
import { addSeconds, type Clock, dayInSeconds } from '#server/platform/clock.ts';
import { buildJsonObject, type JsonText, toJson } from '#server/platform/json/json-text.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { SearchRunner } from '#server/platform/postgres/search-database.ts';
import { deduplicateReads } from './deduplicate-reads.ts';
import { findCategoryByLabel, isCategoryOnlyFilter, type ListingFilter } from './filter.ts';
import type { MatchCountCache } from './match-count-cache.ts';
import {
  type CountedListingCardPage,
  countMatchingListings,
  findListingWithPublicPage,
  listLatestListings,
  listListingsByScan,
  listSimilarListings,
  listSitemapRows,
} from './read-repository.ts';
import { searchListings } from './search-repository.ts';
import { listSimilarMatches } from './similar-search.ts';
import { decodeCursor, encodeCursor } from './sorts.ts';
import { toLowerCase, toSearchedText } from './text-search.ts';
import { listTitleSuggestions } from './title-suggestions.ts';

/** Number of listings under "Similar Items" on a listing's page (specification §9). */
const maxSimilarItems = 4;

interface ReadingDeps {
  sql: Sql;
  runSearch: SearchRunner;
  clock: Clock;
  campus: Campus;
  matchCounts: MatchCountCache;
}

// Specification §7: game-day listings are sorted by game date, all others newest first.
const toListingSort = (query: ListingQuery): ListingSort =>
  query.sort ?? (query.category === 'game-day' && !query.q ? 'game-date' : 'newest');

/** Creates the service that reads published listings for everybody. */
export const createListingReadService = ({ sql, runSearch, clock, campus, matchCounts }: ReadingDeps) => {
  const getToday = (): string => toCampusDay(campus, clock.now());
  const toFilter = (query: SimilarMatchesQuery): ListingFilter => {
    const text = toSearchedText(query.q);
    return {
      category: query.category,
      text,
      textCategory: text ? findCategoryByLabel(text, campus.mascot) : undefined,
      minPrice: query.min_price,
      maxPrice: query.max_price,
      condition: query.condition,
      location: query.location,
      verified: query.verified === 'true',
      gameDays: query.game_date && resolveGameDateRange(query.game_date, campus, clock.now()),
      size: query.size,
      kind: query.kind,
      seller: query.seller,
      availableOn: query.available === 'true' ? getToday() : undefined,
    };
  };

  const readCountedPage = async (query: ListingQuery): Promise<CountedListingCardPage> => {
    const sort = toListingSort(query);
    const filter = toFilter(query);
    const after = query.cursor === undefined ? undefined : decodeCursor(sort, query.cursor);
    const wanted = { filter, sort, after, limit: query.limit, today: getToday() };
    const { text } = filter;
    if (text) {
      const total = matchCounts.find(filter);
      const search = { ...wanted, filter: { ...filter, text }, countedTo: maxExactMatchCount, total };
      const read = () => runSearch((tx) => searchListings(tx, search));
      return total === undefined ? matchCounts.remember(filter, read) : read();
    }
    const run: SearchRunner = isCategoryOnlyFilter(filter) ? (work) => work(sql) : runSearch;
    const [page, total] = await Promise.all([
      run((tx) => listListingsByScan(tx, wanted)),
      matchCounts.count(filter, () => run((tx) => countMatchingListings(tx, filter, maxExactMatchCount))),
    ]);
    return { ...page, total };
  };

  const listPublished = async (query: ListingQuery): Promise<JsonText<ListingPage>> => {
    const { cards, total, end } = await readCountedPage(query);
    return buildJsonObject({
      items: cards,
      total: toJson(total),
      next_cursor: toJson(end ? encodeCursor(toListingSort(query), end) : null),
    });
  };
  const toSubject = (slug: string) => ({
    slug,
    soldAfter: addSeconds(clock.now(), -soldListingPageDays * dayInSeconds),
    today: getToday(),
  });
  // Concurrent identical reads are shared, because many visitors look at the same few lists and listings.
  const listShared = deduplicateReads(listPublished);
  const findShared = deduplicateReads((slug: string) => findListingWithPublicPage(sql, toSubject(slug)));

  return {
    /** Returns a page of published listings with the number of matches, exact up to 10,000. */
    listPublished: async (query: ListingQuery): Promise<JsonText<ListingPage>> => {
      if ((query.q?.length ?? 0) > maxSearchTextLength)
        return toJson({ items: [], total: 0, next_cursor: null });
      // Searches are not shared: identical searches rarely run at the same time, and a request that shares a search
      // would have to wait for one that may take long.
      return query.q ? listPublished(query) : listShared(query);
    },

    /** Returns listings that contain other forms or spellings of the words of a search, but not its exact text. */
    listSimilarMatches: async (query: SimilarMatchesQuery): Promise<JsonText<ListingCard[]>> => {
      const filter = toFilter(query);
      const { text } = filter;
      if (!text || text.length > maxSearchTextLength) return toJson([]);
      const page = { limit: maxSimilarMatches, today: getToday() };
      return runSearch((tx) => listSimilarMatches(tx, { ...filter, text }, page));
    },

    /** Suggests titles of listings for a search that is being typed. */
    suggestTitles: async ({ q, per_seller }: SuggestionQuery): Promise<SuggestedListing[]> => {
      if (!q || q.length > maxSearchTextLength) return [];
      const perSeller = per_seller === 'true';
      const limit = perSeller ? maxTitleSuggestionsPerSeller : maxTitleSuggestions;
      const sellersPerTitle = perSeller ? maxSellersPerSuggestedTitle : 1;
      const rows = await runSearch((tx) =>
        listTitleSuggestions(tx, toLowerCase(q), { sellersPerTitle, limit }),
      );
      return rows.map(({ title, slug, user_id }) => ({ title, slug, user_id }));
    },

    /** Returns the newest listings, without the total. */
    listLatest: (limit: number): Promise<JsonText<ListingCard[]>> =>
      listLatestListings(sql, { limit, today: getToday() }),

    getPublished: async (slug: string): Promise<JsonText<Listing>> => {
      const listing = await findShared(slug);
      if (!listing) throw createProblem('listing_not_found');
      return listing;
    },

    /**
     * Returns one part of all published listings for the site map; parts have `size` listings and are numbered from 0.
     */
    listSitemapListings: async (part: number, size: number): Promise<SitemapListings> => {
      const { rows, total, changedAt } = await listSitemapRows(sql, { offset: part * size, limit: size });
      return {
        items: rows.map(({ slug, updated_at }) => ({ slug, updated_at: updated_at.toISOString() })),
        total,
        changed_at: changedAt?.toISOString() ?? null,
      };
    },

    listSimilar: async (slug: string): Promise<JsonText<ListingCard[]>> => {
      const cards = await listSimilarListings(sql, toSubject(slug), maxSimilarItems);
      if (!cards) throw createProblem('listing_not_found');
      return cards;
    },
  };
};
