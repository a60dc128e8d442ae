import { isCategory } from '#contract/categories.ts';
import type { FindCacheKey } from '#contract/reads.ts';
import { accountForms, patterns, textPages } from '#web/lib/links.ts';
import { chosenIn, filterSearch, pageFilters, searchFilters, sortIn } from '#web/listings/filters.ts';

/** A page that is the same for everyone and of which there are not endlessly many. */
interface Page {
  /** The id of its route, where it has data of its own. */
  route?: string;
  /** What it looks at in the query, in one way of writing; undefined when that is too long to be kept. */
  search?: (params: URLSearchParams) => string | undefined;
}

/** Longer searches are rarely asked twice. */
const longestText = 100;

const fixedPages = new Set([...textPages, ...accountForms]);

const categorySearch = (slug: string, params: URLSearchParams): string => {
  const filters = (isCategory(slug) && pageFilters[slug]) || [];
  const sort = sortIn(params);
  return filterSearch(chosenIn(params, filters), sort ? { sort } : {});
};

const textSearch = (params: URLSearchParams): string | undefined => {
  const q = (params.get('q') ?? '').trim();
  if (!q) return '';
  return q.length > longestText ? undefined : filterSearch(chosenIn(params, searchFilters), { q });
};

const slugged = /^\/(category|listing|product)\/([a-z0-9-]{1,200})$/;

const pageAt = (path: string): Page | undefined => {
  if (path === '/') return { route: 'routes/home' };
  if (path === patterns.search) return { route: 'routes/search', search: textSearch };
  if (fixedPages.has(path)) return {};
  const [, kind, slug = ''] = slugged.exec(path) ?? [];
  if (kind === undefined) return undefined;
  if (kind !== 'category') return { route: `routes/${kind}` };
  // Any slug has a category page, so only those of real ones are kept.
  return isCategory(slug)
    ? { route: 'routes/category', search: (params) => categorySearch(slug, params) }
    : undefined;
};

/** The router asks for a page's data below the page's own path, by its own rule (react-router, single fetch). */
const dataSuffix = /(?:(?<=^\/)_)?\.data$/;

/** A path in another spelling than ours is served all the same, and not kept. */
export const findCacheKey: FindCacheKey = (url) => {
  // Further question marks belong to the query (RFC 3986, section 3.4).
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const page = pageAt(path.replace(dataSuffix, ''));
  if (!page) return undefined;
  const params = new URLSearchParams(query);
  const search = page.search ? page.search(params) : '';
  if (search === undefined) return undefined;
  const narrowed = search !== '';
  if (!dataSuffix.test(path)) return { address: path + search, narrowed };

  const routes = params.get('_routes');
  if (page.route === undefined || (routes !== null && routes !== page.route)) return undefined;
  const asked = routes === null ? [] : [`_routes=${encodeURIComponent(routes)}`];
  const parts = [...(narrowed ? [search.slice(1)] : []), ...asked].join('&');
  return { address: parts ? `${path}?${parts}` : path, narrowed };
};
