import { accountForms, patterns, textPages } from '#web/lib/links.ts';

/**
 * Screens whose document is the same for everybody: what is personal in them is read and drawn by their script.
 * So their documents may be kept; nothing that their scripts read ever is.
 */
export const screens: readonly string[] = [
  ...accountForms,
  patterns.profile,
  patterns.profileEdit,
  patterns.profileSetup,
  patterns.postAd,
  patterns.myListings,
  patterns.messages,
];

const listingPages = /^\/(?:$|search$|(?:category|listing|product)\/[^/]+$)/;

/** Whether a path is one of those that show listings to everybody: kept as they were last seen. */
export const isListingPage = (path: string): boolean => listingPages.test(path);

/** Whether a path is a page for everybody. */
export const isPublicPage = (path: string): boolean => isListingPage(path) || textPages.includes(path);

const suffix = '.data';

/** Where the router reads the data of a page. */
export const dataAddress = (page: URL): URL => {
  const address = new URL(page);
  address.pathname += page.pathname.endsWith('/') ? `_${suffix}` : suffix;
  address.hash = '';
  return address;
};

/** The page whose data is at an address; undefined for any other address. */
export const pageOfData = (address: URL): URL | undefined => {
  if (!address.pathname.endsWith(suffix)) return undefined;
  const page = new URL(address);
  page.pathname = page.pathname.slice(0, -suffix.length).replace(/\/_$/, '/');
  page.searchParams.delete(partial);
  return page;
};

/** The router asks for a part of a page's data with this; the whole serves as well. */
const partial = '_routes';

/** The name under which an answer is kept: the same for the whole of a page's data and for a part of it. */
export const cacheKeyOf = (address: URL): string => {
  const name = new URL(address);
  name.searchParams.delete(partial);
  name.hash = '';
  return name.href;
};
