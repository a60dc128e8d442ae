/** Returns the key prefix that all queries about the person's own listings share. */
export const ownListingsQueryKey = (ownId: string) => ['own-listings', ownId] as const;
