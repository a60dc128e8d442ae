/**
 * Splits items into groups and runs `visit` for all groups concurrently. This is much faster, because a page
 * spends most of its time waiting. Each call of `visit` must open its own browser contexts.
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
