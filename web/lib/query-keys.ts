/** Returns the beginning of the keys of all queries about the person's own listings. */
export const ownListingsKey = (ownId: string) => ['own-listings', ownId] as const;
