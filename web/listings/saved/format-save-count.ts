export const formatSaveCount = (count: number): string =>
  count === 0 ? 'Nobody has saved it yet' : count === 1 ? 'Saved by 1 person' : `Saved by ${count} people`;
