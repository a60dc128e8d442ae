import type { Campus } from '#contract/campus.ts';
import { type Category, categoryLabel } from '#contract/categories.ts';
import { problem } from '#contract/errors.ts';
import { gameDays } from '#contract/game-days.ts';
import type {
  Listing,
  ListingCard,
  ListingPage,
  ListingQuery,
  ListingSort,
  SimilarMatchesQuery,
  SuggestedListing,
} from '#contract/listings.ts';
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

/** §9: Similar Items. */
const similarItems = 4;
/** No searched text is longer than a description, so a longer query cannot match. */
const longestSearch = 1000;

interface ReadingDeps {
  sql: Sql;
  /** A pool that plans statements for each text or filter, since the best plan depends on its frequency. */
  searchSql: Sql;
  clock: Clock;
  campus: Campus;
  totals: Totals;
}

// Specification §7: game day listings by date, everything else newest first.
const sortFor = (query: ListingQuery): ListingSort =>
  query.sort ?? (query.category === 'game-day' && !query.q ? 'game-date' : 'newest');

/** Creates the public reads of published listings. */
export const createListingReads = ({ sql, searchSql, clock, campus, totals }: ReadingDeps) => {
  const labelledCategory = (text: string): Category | undefined =>
    categoryLabel('trojan-merch', campus.mascot).toLowerCase().includes(text) ? 'trojan-merch' : undefined;

  const filterFor = (query: SimilarMatchesQuery): Filter => {
    const text = query.q?.toLowerCase() || undefined;
    return {
      category: query.category,
      text,
      textCategory: text ? labelledCategory(text) : undefined,
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

  const readPage = async (query: ListingQuery): Promise<CountedPage> => {
    const sort = sortFor(query);
    const filter = filterFor(query);
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
    const { cards, total, end } = await readPage(query);
    return jsonObject({
      items: cards,
      total: toJson(total),
      next_cursor: toJson(end ? encodeCursor(sortFor(query), end) : null),
    });
  };
  // Many visitors look at the same few lists and listings.
  const listShared = shareReads(listPublished);
  const findShared = shareReads((slug: string) => findPublished(sql, slug));

  return {
    /** Returns a page of published listings with the number of matches, exact up to 10,000. */
    listPublished: async (query: ListingQuery): Promise<JsonText<ListingPage>> => {
      if ((query.q?.length ?? 0) > longestSearch) return toJson({ items: [], total: 0, next_cursor: null });
      // Searches rarely coincide and may take long.
      return query.q ? listPublished(query) : listShared(query);
    },

    /** Returns listings with other forms or spellings of the words of a search, but without its text. */
    listSimilarMatches: async (query: SimilarMatchesQuery): Promise<JsonText<ListingCard[]>> => {
      const filter = filterFor(query);
      const { text } = filter;
      if (!text || text.length > longestSearch) return toJson([]);
      return listSimilarMatches(searchSql, { ...filter, text }, maxSimilarMatches);
    },

    /** Suggests titles for a text that is being typed. */
    suggestTitles: async (q: string | undefined): Promise<SuggestedListing[]> => {
      if (!q || q.length > longestSearch) return [];
      const rows = await listTitleSuggestions(searchSql, q.toLowerCase(), maxSuggestions);
      return rows.map(({ title, slug }) => ({ title, slug }));
    },

    /** The newest listings, without their number. */
    listLatest: (limit: number): Promise<JsonText<ListingCard[]>> => listLatest(sql, limit),

    getPublished: async (slug: string): Promise<JsonText<Listing>> => {
      const listing = await findShared(slug);
      if (!listing) throw problem('listing_not_found');
      return listing;
    },

    /** Lists the URLs of all published listings for the site map, one part at a time, from 0. */
    listAddresses: async (part: number, size: number): Promise<ListingAddresses> => {
      const { rows, total, changedAt } = await listAddresses(sql, { offset: part * size, limit: size });
      return {
        items: rows.map(({ slug, updated_at }) => ({ slug, updated_at: updated_at.toISOString() })),
        total,
        changed_at: changedAt?.toISOString() ?? null,
      };
    },

    listSimilar: async (slug: string): Promise<JsonText<ListingCard[]>> => {
      const cards = await listSimilar(sql, slug, similarItems);
      if (!cards) throw problem('listing_not_found');
      return cards;
    },
  };
};
