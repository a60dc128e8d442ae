import { accountForms, patterns, textPages } from '#web/lib/links.ts';

/**
 * Paths of screens whose HTML document is the same for everybody, because their scripts load and render the personal
 * data. The documents are cached, but never that data.
 */
export const sharedDocumentPaths: readonly string[] = [
  ...accountForms,
  patterns.profile,
  patterns.profileEdit,
  patterns.profileSetup,
  patterns.postAd,
  patterns.myListings,
  patterns.messages,
];

const listingPagePattern = /^\/(?:$|search$|(?:category|listing|product)\/[^/]+$)/;

/** Returns whether a path is a public page with listings, whose last seen version is cached. */
export const isListingPage = (path: string): boolean => listingPagePattern.test(path);

/** Returns whether a path is a public page. */
export const isPublicPage = (path: string): boolean => isListingPage(path) || textPages.includes(path);

const dataSuffix = '.data';

/** Returns the URL from which the router loads a page's data. */
export const toDataUrl = (page: URL): URL => {
  const address = new URL(page);
  address.pathname += page.pathname.endsWith('/') ? `_${dataSuffix}` : dataSuffix;
  address.hash = '';
  return address;
};

/** Returns the URL of the page that a data URL belongs to; undefined if it is no data URL. */
export const toPageUrl = (address: URL): URL | undefined => {
  if (!address.pathname.endsWith(dataSuffix)) return undefined;
  const page = new URL(address);
  page.pathname = page.pathname.slice(0, -dataSuffix.length).replace(/\/_$/, '/');
  page.searchParams.delete(routesParameter);
  return page;
};

/**
 * The router's query parameter for requesting only part of a page's data. It accepts the complete data as a response.
 */
const routesParameter = '_routes';

/** Returns the cache key of a URL. Complete and partial data requests of a page have the same key. */
export const toCacheKey = (address: URL): string => {
  const name = new URL(address);
  name.searchParams.delete(routesParameter);
  name.hash = '';
  return name.href;
};
