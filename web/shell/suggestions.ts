import { type Category, categories, getCategoryLabel } from '#contract/categories.ts';
import type { SuggestedListing } from '#contract/listing-queries.ts';
import { maxTitleSuggestions } from '#contract/paging.ts';
import { createTextMatcher, foldText } from '#contract/search-text.ts';

/** A suggestion below the search box: an earlier search, a category, or the title of a listing. */
export type Suggestion = { search: string } | { category: Category; label: string } | SuggestedListing;

/**
 * Maximum number of earlier searches and categories in the list if enough listing titles match to
 * fill the rest of the list.
 */
const maxNonListingSuggestions = 2;

/** Returns whether a search for `part` finds the text. */
const isFoundIn = (text: string, part: string): boolean => createTextMatcher(foldText(part))(foldText(text));

/**
 * Returns the categories whose label has a word that begins with a text, or all categories for an empty text.
 */
const listMatchingCategories = (text: string, mascot: string) =>
  categories
    .map((category) => ({ category, label: getCategoryLabel(category, mascot) }))
    .filter(({ label }) => isFoundIn(` ${label}`, ` ${text}`));

/** Returns the listings of other sellers, each title once. */
export const omitSellers = (
  listings: readonly SuggestedListing[],
  sellerIds: readonly string[],
): SuggestedListing[] => {
  const byTitle = new Map<string, SuggestedListing>();
  for (const listing of listings) {
    const title = listing.title.toLowerCase();
    if (!sellerIds.includes(listing.user_id) && !byTitle.has(title)) byTitle.set(title, listing);
  }
  return [...byTitle.values()];
};

/**
 * Returns suggestions for the entered text: categories, earlier searches, then listing titles.
 * Omits titles that were found for earlier input and no longer match. For an empty text, returns
 * the earlier searches, or the categories if there are none.
 */
export const listSuggestions = (
  text: string,
  {
    recent,
    found,
    mascot,
  }: { recent: readonly string[]; found: readonly SuggestedListing[]; mascot: string },
): Suggestion[] => {
  const typed = text.trim();
  if (!typed) {
    const suggestions =
      recent.length > 0 ? recent.map((search) => ({ search })) : listMatchingCategories('', mascot);
    return suggestions.slice(0, maxTitleSuggestions);
  }
  const searches = recent.filter((search) => isFoundIn(search, typed) && search !== typed);
  const matchingListings = found.filter(({ title }) => isFoundIn(title, typed));
  const maxOthers = Math.max(maxNonListingSuggestions, maxTitleSuggestions - matchingListings.length);
  return [
    ...[...listMatchingCategories(typed, mascot), ...searches.map((search) => ({ search }))].slice(
      0,
      maxOthers,
    ),
    ...matchingListings,
  ].slice(0, maxTitleSuggestions);
};
