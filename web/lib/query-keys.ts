/** Every query about the person's own listings has a key that begins with these parts. */
export const ownListingsKey = (ownId: string) => ['own-listings', ownId] as const;
