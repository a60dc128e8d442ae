import { isCategory } from '#contract/categories.ts';
import type { FindCacheKey } from '#contract/reads.ts';
import { accountForms, links, patterns, textPages } from '#web/lib/links.ts';
import {
  pageFilters,
  parseChosenFilters,
  parseSort,
  searchFilters,
  toQueryString,
} from '#web/listings/filters.ts';

/** A public page whose number of distinct URLs is limited, so that it can be cached. */
interface CacheablePage {
  /** The id of the page's route, if the route has a loader. */
  route?: string;
  /** Returns the relevant part of the query in canonical form; undefined when it is too long to cache. */
  search?: (params: URLSearchParams) => string | undefined;
}

/** Maximum length of a search text to cache, in characters; longer searches are rarely repeated. */
const maxCachedQueryLength = 100;

const fixedPages = new Set([...textPages, ...accountForms]);

const canonicalCategorySearch = (slug: string, params: URLSearchParams): string => {
  const filters = isCategory(slug) ? pageFilters[slug] : [];
  const sort = parseSort(params);
  return toQueryString(parseChosenFilters(params, filters), sort ? { sort } : {});
};

const canonicalTextSearch = (params: URLSearchParams): string | undefined => {
  const q = (params.get('q') ?? '').trim();
  if (!q) return '';
  return q.length > maxCachedQueryLength
    ? undefined
    : toQueryString(parseChosenFilters(params, searchFilters), { q });
};

const slugPathPattern = /^\/(category|listing|product)\/([a-z0-9-]{1,200})$/;

const findCacheablePage = (path: string): CacheablePage | undefined => {
  if (path === links.home) return { route: 'routes/home' };
  if (path === patterns.search) return { route: 'routes/search', search: canonicalTextSearch };
  if (fixedPages.has(path)) return {};
  const [, kind, slug = ''] = slugPathPattern.exec(path) ?? [];
  if (kind === undefined) return undefined;
  if (kind !== 'category') return { route: `routes/${kind}` };
  // Any slug has a category page, so only those of known categories are cached.
  return isCategory(slug)
    ? { route: 'routes/category', search: (params) => canonicalCategorySearch(slug, params) }
    : undefined;
};

/** The router requests a page's data at the page's path plus this suffix (React Router, single fetch). */
const dataSuffix = /(?:(?<=^\/)_)?\.data$/;

/** Returns a page's cache key; a URL that is not in canonical form is served but not cached. */
export const findCacheKey: FindCacheKey = (url) => {
  // Further question marks belong to the query (RFC 3986, section 3.4).
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const page = findCacheablePage(path.replace(dataSuffix, ''));
  if (!page) return undefined;
  const params = new URLSearchParams(query);
  const search = page.search ? page.search(params) : '';
  if (search === undefined) return undefined;
  const narrowed = search !== '';
  if (!dataSuffix.test(path)) return { address: path + search, narrowed };

  const routes = params.get('_routes');
  if (page.route === undefined || (routes !== null && routes !== page.route)) return undefined;
  const routesParameter = routes === null ? [] : [`_routes=${encodeURIComponent(routes)}`];
  const parts = [...(narrowed ? [search.slice(1)] : []), ...routesParameter].join('&');
  return { address: parts ? `${path}?${parts}` : path, narrowed };
};
