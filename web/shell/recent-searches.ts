const place = 'quad.searches';
const kept = 6;

/** A list of searches with one more in front, each only once whatever its case. */
export const withSearch = (searches: readonly string[], text: string): string[] =>
  [text, ...searches.filter((search) => search.toLowerCase() !== text.toLowerCase())].slice(0, kept);

/** What was searched for in this browser, the latest first. */
export const listRecentSearches = (): string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(stored) ? stored.filter((search) => typeof search === 'string').slice(0, kept) : [];
  } catch {
    return [];
  }
};

/** Remembers a search in this browser; where nothing can be kept, nothing is. */
export const rememberSearch = (text: string): void => {
  try {
    localStorage.setItem(place, JSON.stringify(withSearch(listRecentSearches(), text)));
  } catch {
    // Private windows and full disks: the search itself goes on.
  }
};

/** Forgets what was searched for in this browser. */
export const forgetSearches = (): void => {
  try {
    localStorage.removeItem(place);
  } catch {
    // Nothing could be kept, so nothing is left.
  }
};
