/** Grids show this many listings at a time (rulings, "Listings"). */
export const pageSize = 24;
/** Totals are exact up to here; a total above it means "more than". */
export const exactTotal = 10_000;
/** So much is suggested at most while somebody types a search. */
export const maxSuggestions = 6;
