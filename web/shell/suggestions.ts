/** A line below the search box: a search made before, or the title of a listing. */
export type Suggestion = { search: string } | { title: string; slug: string };

export interface FoundListing {
  title: string;
  slug: string;
}

export const maxSuggestions = 6;
/** With titles to show, earlier searches leave them room. */
const maxSearchesBesideTitles = 2;

const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

/** What to suggest for a text: earlier searches, then listings, those with the text in their title first. */
export const suggest = (
  text: string,
  recent: readonly string[],
  found: readonly FoundListing[],
): Suggestion[] => {
  const typed = text.trim();
  if (!typed) return recent.slice(0, maxSuggestions).map((search) => ({ search }));
  const searches = recent.filter((search) => has(search, typed) && search !== typed);
  const titled = found.filter(({ title }) => has(title, typed));
  const others = found.filter(({ title }) => !has(title, typed));
  const room = Math.max(maxSearchesBesideTitles, maxSuggestions - found.length);
  return [
    ...searches.slice(0, room).map((search) => ({ search })),
    ...[...titled, ...others].map(({ title, slug }) => ({ title, slug })),
  ].slice(0, maxSuggestions);
};
