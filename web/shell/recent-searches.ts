import { readBrowserList, writeBrowserText } from '#web/lib/stored-values.ts';

const maxRecentSearches = 6;

/**
 * Returns the recent searches with `text` added in front. Omits an earlier search that is equal, ignoring
 * case, and the oldest searches above the maximum.
 */
export const withRecentSearch = (searches: readonly string[], text: string): string[] =>
  [text, ...searches.filter((search) => search.toLowerCase() !== text.toLowerCase())].slice(
    0,
    maxRecentSearches,
  );

/** Returns the recent searches stored in this browser, newest first. */
export const listRecentSearches = (): string[] =>
  readBrowserList('quad.searches').slice(0, maxRecentSearches);

/** Stores a search in this browser. */
export const storeRecentSearch = (text: string): void => {
  writeBrowserText('quad.searches', JSON.stringify(withRecentSearch(listRecentSearches(), text)));
};
