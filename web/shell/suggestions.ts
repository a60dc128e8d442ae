import { type Category, categories, categoryLabel } from '#contract/categories.ts';
import type { SuggestedListing } from '#contract/listing-queries.ts';
import { maxSuggestions } from '#contract/paging.ts';

/** A suggestion below the search box: an earlier search, a category, or the title of a listing. */
export type Suggestion = { search: string } | { category: Category; label: string } | SuggestedListing;

/** Maximum number of earlier searches and categories if there are enough titles to fill the rest of the list. */
const maxBesideTitles = 2;

const includesIgnoringCase = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase());

/** Returns the categories whose label has a word that begins with a text. */
const findCategories = (text: string, mascot: string) =>
  categories
    .map((category) => ({ category, label: categoryLabel(category, mascot) }))
    .filter(({ label }) => includesIgnoringCase(` ${label}`, ` ${text}`));

/**
 * Returns suggestions for a text: categories, earlier searches, then titles. Drops titles found for previous input that no
 * longer match.
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
  if (!typed) return recent.slice(0, maxSuggestions).map((search) => ({ search }));
  const searches = recent.filter((search) => includesIgnoringCase(search, typed) && search !== typed);
  const matchingListings = found.filter(({ title }) => includesIgnoringCase(title, typed));
  const maxOthers = Math.max(maxBesideTitles, maxSuggestions - matchingListings.length);
  return [
    ...[...findCategories(typed, mascot), ...searches.map((search) => ({ search }))].slice(0, maxOthers),
    ...matchingListings.map(({ title, slug }) => ({ title, slug })),
  ].slice(0, maxSuggestions);
};
