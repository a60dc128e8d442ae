/** Number of listings on a page of a list or grid, unless a request asks for another number. */
export const listingPageSize = 24;
/** Maximum number of listings per page that a request may ask for. */
export const maxListingPageSize = 100;
/**
 * The server counts matches exactly only up to this number; any larger total means "more than this number".
 */
export const maxExactMatchCount = 10_000;
/**
 * A search with fewer matches than this also shows similar listings (specification of the experience, "Search that
 * forgives").
 */
export const similarMatchesThreshold = 8;
/** Maximum number of similar listings shown below the matches of a search. */
export const maxSimilarMatches = 12;
/** Maximum number of title suggestions shown while a search is being typed. */
export const maxTitleSuggestions = 6;
/** Maximum number of sellers of the same title among the suggestions for a person who omits those of blocked sellers. */
export const maxSellersPerSuggestedTitle = 4;
/** Maximum number of title suggestions from which a person who blocked sellers omits theirs. */
export const maxTitleSuggestionsPerSeller = maxSellersPerSuggestedTitle * maxTitleSuggestions;
/** Maximum number of listings that a person can save. */
export const maxSavedListings = 500;
/** Number of saved listings that a person's list shows per page. */
export const savedListingPageSize = 24;
/** Maximum number of searches that a person can save. */
export const maxSavedSearches = 25;
/**
 * The number of a saved search's new matches is exact below this number. This number itself means "this many
 * or more".
 */
export const maxExactNewMatchCount = 100;

/** How many wanted posts of a person may be open at the same time. */
export const maxOpenWantedPosts = 5;
/** Number of wanted posts that a list shows per page. */
export const wantedPageSize = 24;

/** Number of notifications that the app lists per page. */
export const notificationPageSize = 30;

/** Maximum number of notifications that one call marks as read. */
export const maxNotificationsPerCall = 100;

/** Maximum number of people whom a person can block. */
export const maxBlockedPeople = 1000;
/** Number of people that a person's list of blocked people shows per page. */
export const blockedPeoplePageSize = 50;
