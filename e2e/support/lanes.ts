/**
 * Distributes items to N lanes and visits the lanes concurrently, each in a browser context of its own: a page mostly
 * waits, so several take hardly longer than one.
 */
export const inLanes = async <Item>(
  items: readonly Item[],
  visit: (lane: readonly Item[]) => Promise<void>,
  lanes = 3,
): Promise<void> => {
  const shares = Array.from({ length: lanes }, (_, lane) =>
    items.filter((_, index) => index % lanes === lane),
  );
  await Promise.all(shares.map(visit));
};
