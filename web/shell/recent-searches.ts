const place = 'quad.searches';
const kept = 6;

/** Returns a list of searches with a new one in front, without duplicates regardless of case. */
export const withSearch = (searches: readonly string[], text: string): string[] =>
  [text, ...searches.filter((search) => search.toLowerCase() !== text.toLowerCase())].slice(0, kept);

/** Lists the recent searches in this browser, newest first. */
export const listRecentSearches = (): string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(stored) ? stored.filter((search) => typeof search === 'string').slice(0, kept) : [];
  } catch {
    return [];
  }
};

/** Stores a search in this browser, if it has storage. */
export const rememberSearch = (text: string): void => {
  try {
    localStorage.setItem(place, JSON.stringify(withSearch(listRecentSearches(), text)));
  } catch {
    // Storage may be blocked or full; the search itself still works.
  }
};

/** Deletes the recent searches in this browser. */
export const forgetSearches = (): void => {
  try {
    localStorage.removeItem(place);
  } catch {
    // Without storage there is nothing to delete.
  }
};
