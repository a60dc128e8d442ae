/**
 * Splits items into groups and runs `visit` for all groups concurrently. A page spends most of its time waiting, so
 * several pages take hardly longer than one. `visit` opens its own browser context.
 */
export const visitInGroups = async <Item>(
  items: readonly Item[],
  visit: (group: readonly Item[]) => Promise<void>,
  groupCount = 3,
): Promise<void> => {
  const groups = Array.from({ length: groupCount }, (_, group) =>
    items.filter((_, index) => index % groupCount === group),
  );
  await Promise.all(groups.map(visit));
};
