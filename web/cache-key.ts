import { isCategory } from '#contract/categories.ts';
import type { PageCacheKeyFinder } from '#contract/page-rendering.ts';
import { accountFormPaths, links, routePatterns, textPagePaths } from '#web/lib/links.ts';
import {
  type FilterName,
  filtersByCategory,
  hasTypedAmounts,
  parseChosenFilters,
  searchPageFilters,
  toQueryString,
} from '#web/listings/filters.ts';
import {
  browseSorts,
  type OfferedSorts,
  parseSortOrder,
  searchSorts,
  sortsByCategory,
} from '#web/listings/sorts.ts';
import { isWantedTab } from '#web/wanted/public.ts';

/** A public page that can be cached, because the number of its possible URLs is limited. */
interface CacheablePage {
  /** The id of the page's route, if the route has a loader. */
  route?: string;
  /** Returns the relevant part of the query in canonical form, or undefined if its page is not cached. */
  search?: (params: URLSearchParams) => string | undefined;
}

/**
 * Maximum length, in characters, of a search text whose results page is cached. Longer searches are rarely
 * repeated.
 */
const maxCachedQueryLength = 100;

const staticPagePaths = new Set([...textPagePaths, ...accountFormPaths]);

const toCanonicalListQuery = (
  params: URLSearchParams,
  { filters, sorts, q = '' }: { filters: readonly FilterName[]; sorts: OfferedSorts; q?: string },
): string | undefined =>
  // Such a URL leads to one that is cached.
  hasTypedAmounts(params)
    ? undefined
    : toQueryString(parseChosenFilters(params, filters), {
        q,
        sort: parseSortOrder(params, sorts) ?? '',
        tab: isWantedTab(params) ? 'wanted' : '',
      });

const toCanonicalSearchQuery = (params: URLSearchParams): string | undefined => {
  const q = (params.get('q') ?? '').trim();
  if (!q) return '';
  return q.length > maxCachedQueryLength
    ? undefined
    : toCanonicalListQuery(params, { filters: searchPageFilters, sorts: searchSorts, q });
};

/** Matches the path of a course in its canonical spelling. Unknown courses have status 404, so they are not cached. */
const coursePathPattern = /^\/course\/[A-Z0-9]{1,20}(?:-[A-Z0-9]{1,20}){0,3}$/;
const slugPathPattern = /^\/(category|listing|product)\/([a-z0-9-]{1,200})$/;
/**
 * Matches the path of a public profile. Paths with ids that do not exist match too, but their responses have
 * status 404 and are not cached.
 */
const profilePathPattern = /^\/users\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const findCacheablePage = (path: string): CacheablePage | undefined => {
  if (path === links.home) return { route: 'routes/home' };
  if (path === routePatterns.browse) {
    const offered = { filters: searchPageFilters, sorts: browseSorts };
    return { route: 'routes/browse', search: (params) => toCanonicalListQuery(params, offered) };
  }
  if (path === routePatterns.search) return { route: 'routes/search', search: toCanonicalSearchQuery };
  if (staticPagePaths.has(path)) return {};
  if (profilePathPattern.test(path)) return { route: 'routes/user' };
  if (coursePathPattern.test(path)) return { route: 'routes/course' };
  const [, kind, slug = ''] = slugPathPattern.exec(path) ?? [];
  if (kind === undefined) return undefined;
  if (kind !== 'category') return { route: `routes/${kind}` };
  // Any slug opens a category page, so cache only pages of known categories; otherwise the cache could grow
  // without limit.
  if (!isCategory(slug)) return undefined;
  const offered = { filters: filtersByCategory[slug], sorts: sortsByCategory[slug] };
  return { route: 'routes/category', search: (params) => toCanonicalListQuery(params, offered) };
};

/** The first segments of the paths of all pages, such as "listing". */
const firstSegments = new Set(Object.values(routePatterns).map((pattern) => pattern.split('/')[1]));
/** A URL without a page, under which the page for all such URLs is rendered and cached. */
const missingPageAddress = '/*';

/**
 * Returns whether certainly no page exists at a path. The router also matches paths in upper case and with escapes, so a
 * path that begins with an escape is not certain.
 */
const isMissingPath = (path: string): boolean => {
  // The router matches the parsed URL, in which `/x/../login` is `/login`.
  const [, segment] = /^\/([^/%]+)/.exec(new URL(`http://quad${path}`).pathname) ?? [];
  return segment !== undefined && !firstSegments.has(segment.toLowerCase());
};

/**
 * Suffix of the URL from which React Router loads a page's data (single fetch): `<path>.data`, or
 * `/_.data` for the home page.
 */
const dataUrlSuffixPattern = /(?:(?<=^\/)_)?\.data$/;

/**
 * Returns a page's cache key, or undefined if the page must not be cached or the path is not in canonical
 * form.
 */
export const findCacheKey: PageCacheKeyFinder = (url) => {
  // Only the first question mark starts the query (RFC 3986, section 3.4).
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const page = findCacheablePage(path.replace(dataUrlSuffixPattern, ''));
  if (!page) {
    const isMissing = isMissingPath(path) && !dataUrlSuffixPattern.test(path);
    return isMissing ? { address: missingPageAddress, isFiltered: false, isMissing } : undefined;
  }
  const params = new URLSearchParams(query);
  const search = page.search ? page.search(params) : '';
  if (search === undefined) return undefined;
  const isFiltered = search !== '';
  if (!dataUrlSuffixPattern.test(path)) return { address: path + search, isFiltered };

  const routes = params.get('_routes');
  if (page.route === undefined || (routes !== null && routes !== page.route)) return undefined;
  const routesParameter = routes === null ? [] : [`_routes=${encodeURIComponent(routes)}`];
  const parts = [...(isFiltered ? [search.slice(1)] : []), ...routesParameter].join('&');
  return { address: parts ? `${path}?${parts}` : path, isFiltered };
};
