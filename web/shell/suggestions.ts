import type { SuggestedListing } from '#contract/listings.ts';
import { maxSuggestions } from '#contract/paging.ts';

/** A suggestion below the search box: an earlier search, or the title of a listing. */
export type Suggestion = { search: string } | SuggestedListing;

/** Maximum number of earlier searches when there are titles to show. */
const maxSearchesBesideTitles = 2;

const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** Returns suggestions for a text: earlier searches, then titles. Drops titles found for previous input that no longer match. */
export const suggest = (
  text: string,
  recent: readonly string[],
  found: readonly SuggestedListing[],
): Suggestion[] => {
  const typed = text.trim();
  if (!typed) return recent.slice(0, maxSuggestions).map((search) => ({ search }));
  const searches = recent.filter((search) => has(search, typed) && search !== typed);
  const titled = found.filter(({ title }) => has(title, typed));
  const room = Math.max(maxSearchesBesideTitles, maxSuggestions - titled.length);
  return [
    ...searches.slice(0, room).map((search) => ({ search })),
    ...titled.map(({ title, slug }) => ({ title, slug })),
  ].slice(0, maxSuggestions);
};
