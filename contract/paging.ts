/** Grids show this many listings at a time (rulings, "Listings"). */
export const pageSize = 24;
/** Totals are exact up to here; a total above it means "more than". */
export const exactTotal = 10_000;
/** A search with fewer matches than this also shows similar ones (specification of the experience, "Search that forgives"). */
export const fewMatches = 8;
/** Maximum number of similar matches below a search. */
export const maxSimilarMatches = 12;
/** Maximum number of suggestions while typing a search. */
export const maxSuggestions = 6;
