/** Grids show this many listings at a time (rulings, "Listings"). */
export const pageSize = 24;
/** Totals are exact up to here; a total above it means "more than". */
export const exactTotal = 10_000;
/** Maximum number of suggestions while typing a search. */
export const maxSuggestions = 6;
