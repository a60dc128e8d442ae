import type { Campus } from '#contract/campus.ts';
import { type Category, categoryLabel } from '#contract/categories.ts';
import { problem } from '#contract/errors.ts';
import { gameDays } from '#contract/game-days.ts';
import type {
  ListingPage,
  ListingQuery,
  ListingSort,
  SimilarMatchesQuery,
  SuggestedListing,
} from '#contract/listing-queries.ts';
import type { Listing, ListingCard } from '#contract/listings.ts';
import { maxExactTotal, maxSimilarMatches, maxSuggestions } from '#contract/paging.ts';
import type { ListingAddresses } from '#contract/reads.ts';
import type { Clock } from '#server/platform/clock.ts';
import { type JsonText, jsonObject, toJson } from '#server/platform/json/json-text.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { type Filter, isCategoryOnly } from './filter.ts';
import {
  type CountedPage,
  countMatches,
  findPublished,
  listAddresses,
  listByScan,
  listLatest,
  listSimilar,
} from './read-repository.ts';
import { searchPage } from './search-repository.ts';
import { shareReads } from './shared-reads.ts';
import { listSimilarMatches } from './similar-search.ts';
import { decodeCursor, encodeCursor } from './sorts.ts';
import { listTitleSuggestions } from './title-suggestions.ts';
import type { Totals } from './totals.ts';

/** Number of listings under "Similar Items" on a listing's page (specification §9). */
const maxSimilarItems = 4;
/** Maximum length of a search. A longer text cannot match, because no searchable text is longer than a description. */
const maxSearchLength = 1000;

interface ReadingDeps {
  sql: Sql;
  /**
   * A connection pool that plans each statement for its actual parameters, because the best plan depends on how common
   * a text or filter is.
   */
  searchSql: Sql;
  clock: Clock;
  campus: Campus;
  totals: Totals;
}

// Specification §7: game-day listings are sorted by game date, all others newest first.
const toSort = (query: ListingQuery): ListingSort =>
  query.sort ?? (query.category === 'game-day' && !query.q ? 'game-date' : 'newest');

/** Creates the public reads of published listings. */
export const createListingReads = ({ sql, searchSql, clock, campus, totals }: ReadingDeps) => {
  const findCategoryByLabel = (text: string): Category | undefined =>
    categoryLabel('trojan-merch', campus.mascot).toLowerCase().includes(text) ? 'trojan-merch' : undefined;

  const toFilter = (query: SimilarMatchesQuery): Filter => {
    const text = query.q?.toLowerCase() || undefined;
    return {
      category: query.category,
      text,
      textCategory: text ? findCategoryByLabel(text) : undefined,
      minPrice: query.min_price,
      maxPrice: query.max_price,
      condition: query.condition,
      location: query.location,
      verified: query.verified === 'true',
      gameDays: query.game_date && gameDays(query.game_date, campus, clock.now()),
      size: query.size,
      kind: query.kind,
    };
  };

  const readCountedPage = async (query: ListingQuery): Promise<CountedPage> => {
    const sort = toSort(query);
    const filter = toFilter(query);
    const after = query.cursor === undefined ? undefined : decodeCursor(sort, query.cursor);
    const wanted = { filter, sort, after, limit: query.limit };
    const { text } = filter;
    if (text) {
      const total = totals.find(filter);
      const search = { ...wanted, filter: { ...filter, text }, countedTo: maxExactTotal, total };
      const read = () => searchPage(searchSql, search);
      return total === undefined ? totals.remember(filter, read) : read();
    }
    const pool = isCategoryOnly(filter) ? sql : searchSql;
    const [page, total] = await Promise.all([
      listByScan(pool, wanted),
      totals.count(filter, () => countMatches(pool, filter, maxExactTotal)),
    ]);
    return { ...page, total };
  };

  const listPublished = async (query: ListingQuery): Promise<JsonText<ListingPage>> => {
    const { cards, total, end } = await readCountedPage(query);
    return jsonObject({
      items: cards,
      total: toJson(total),
      next_cursor: toJson(end ? encodeCursor(toSort(query), end) : null),
    });
  };
  // Concurrent identical reads are shared, because many visitors look at the same few lists and listings.
  const listShared = shareReads(listPublished);
  const findShared = shareReads((slug: string) => findPublished(sql, slug));

  return {
    /** Returns a page of published listings with the number of matches, exact up to 10,000. */
    listPublished: async (query: ListingQuery): Promise<JsonText<ListingPage>> => {
      if ((query.q?.length ?? 0) > maxSearchLength) return toJson({ items: [], total: 0, next_cursor: null });
      // Searches are not shared: identical ones rarely run at once, and a shared one would wait for a search that may
      // take long.
      return query.q ? listPublished(query) : listShared(query);
    },

    /** Returns listings that contain other forms or spellings of the words of a search, but not its exact text. */
    listSimilarMatches: async (query: SimilarMatchesQuery): Promise<JsonText<ListingCard[]>> => {
      const filter = toFilter(query);
      const { text } = filter;
      if (!text || text.length > maxSearchLength) return toJson([]);
      return listSimilarMatches(searchSql, { ...filter, text }, maxSimilarMatches);
    },

    /** Suggests titles of listings for a search that is being typed. */
    suggestTitles: async (q: string | undefined): Promise<SuggestedListing[]> => {
      if (!q || q.length > maxSearchLength) return [];
      const rows = await listTitleSuggestions(searchSql, q.toLowerCase(), maxSuggestions);
      return rows.map(({ title, slug }) => ({ title, slug }));
    },

    /** Returns the newest listings, without the total. */
    listLatest: (limit: number): Promise<JsonText<ListingCard[]>> => listLatest(sql, limit),

    getPublished: async (slug: string): Promise<JsonText<Listing>> => {
      const listing = await findShared(slug);
      if (!listing) throw problem('listing_not_found');
      return listing;
    },

    /**
     * Returns one part of all published listings for the site map; parts have `size` listings and are numbered from 0.
     */
    listAddresses: async (part: number, size: number): Promise<ListingAddresses> => {
      const { rows, total, changedAt } = await listAddresses(sql, { offset: part * size, limit: size });
      return {
        items: rows.map(({ slug, updated_at }) => ({ slug, updated_at: updated_at.toISOString() })),
        total,
        changed_at: changedAt?.toISOString() ?? null,
      };
    },

    listSimilar: async (slug: string): Promise<JsonText<ListingCard[]>> => {
      const cards = await listSimilar(sql, slug, maxSimilarItems);
      if (!cards) throw problem('listing_not_found');
      return cards;
    },
  };
};
