import { privateScreenPaths } from '#contract/private-screens.ts';
import { accountFormPaths, textPagePaths } from '#web/lib/links.ts';

/**
 * Paths of screens whose HTML document is an app shell: the same for everybody, because scripts
 * load and render the personal data. The documents are cached, but the data never is.
 */
export const appShellPaths: readonly string[] = [...accountFormPaths, ...privateScreenPaths];

const pageWithListingsPattern = /^\/(?:$|browse$|search$|(?:category|course|listing|product|users)\/[^/]+$)/;

/**
 * Returns whether a path is a public page that shows listings. The service worker caches the last
 * version of such a page that the person has seen.
 */
export const isPageWithListings = (path: string): boolean => pageWithListingsPattern.test(path);

/** Returns whether a path is a public page: a page with listings or a static text page. */
export const isPublicPage = (path: string): boolean =>
  isPageWithListings(path) || textPagePaths.includes(path);

const dataUrlSuffix = '.data';

export const toPageDataUrl = (page: URL): URL => {
  const address = new URL(page);
  address.pathname += page.pathname.endsWith('/') ? `_${dataUrlSuffix}` : dataUrlSuffix;
  address.hash = '';
  return address;
};

/** Returns the URL of the page that a data URL belongs to, or undefined for other URLs. */
export const toPageUrl = (address: URL): URL | undefined => {
  if (!address.pathname.endsWith(dataUrlSuffix)) return undefined;
  const page = new URL(address);
  page.pathname = page.pathname.slice(0, -dataUrlSuffix.length).replace(/\/_$/, '/');
  page.searchParams.delete(routesQueryParameter);
  return page;
};

/**
 * The router's query parameter for requesting only part of a page's data. The router also accepts
 * the complete data in response.
 */
const routesQueryParameter = '_routes';

/** Returns the cache key of a URL. Complete and partial data requests for a page have the same key. */
export const toCacheKey = (address: URL): string => {
  const name = new URL(address);
  name.searchParams.delete(routesQueryParameter);
  name.hash = '';
  return name.href;
};
