const storageKey = 'quad.searches';
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
export const listRecentSearches = (): string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((search) => typeof search === 'string').slice(0, maxRecentSearches)
      : [];
  } catch {
    return [];
  }
};

/** Stores a search in this browser, if its storage is available. */
export const storeRecentSearch = (text: string): void => {
  try {
    localStorage.setItem(storageKey, JSON.stringify(withRecentSearch(listRecentSearches(), text)));
  } catch {
    // Storage may be blocked or full; the search itself still works.
  }
};

/** Deletes the recent searches stored in this browser. */
export const clearRecentSearches = (): void => {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // If storage is blocked, it contains nothing to delete.
  }
};
