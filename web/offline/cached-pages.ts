import { accountForms, patterns, textPages } from '#web/lib/links.ts';

/**
 * Screens whose document is the same for everybody; personal data is loaded and rendered by their scripts. Their
 * documents may be cached, but never the data that their scripts load.
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

/** Returns whether a path is a public page with listings, which is cached as it was last seen. */
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

/** Returns the page whose data is at a URL; undefined for any other URL. */
export const toPageUrl = (address: URL): URL | undefined => {
  if (!address.pathname.endsWith(dataSuffix)) return undefined;
  const page = new URL(address);
  page.pathname = page.pathname.slice(0, -dataSuffix.length).replace(/\/_$/, '/');
  page.searchParams.delete(routesParameter);
  return page;
};

/** The parameter with which the router requests part of a page's data; the complete data serves as well. */
const routesParameter = '_routes';

/** Returns the cache key of a URL: the same for a page's complete data and for a part of it. */
export const toCacheKey = (address: URL): string => {
  const name = new URL(address);
  name.searchParams.delete(routesParameter);
  name.hash = '';
  return name.href;
};
