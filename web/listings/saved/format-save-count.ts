/** Returns how many people saved a listing, as text for its owner. */
export const formatSaveCount = (count: number): string =>
  count === 1 ? 'Saved by 1 person' : `Saved by ${count} people`;
