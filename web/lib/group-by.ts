/**
 * Groups items by a key, in the order in which the keys first appear. The oldest supported browsers lack
 * `Map.groupBy`.
 */
export const groupBy = <Item>(
  items: readonly Item[],
  getKey: (item: Item) => string,
): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = getKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};
