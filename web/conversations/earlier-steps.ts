import type { ThreadItem } from './thread.ts';

/** A button that shows or hides the steps of a deal before the latest one. */
export interface EarlierSteps {
  kind: 'earlier_steps';
  key: string;
  at: string;
  /** The keys of these steps. */
  keys: readonly string[];
  isExpanded: boolean;
}

/** Returns the rows to display: of several event lines in a row, only the last one until the person expands them. */
export const collapseEarlierSteps = (
  items: readonly ThreadItem[],
  expanded: ReadonlySet<string>,
): (ThreadItem | EarlierSteps)[] => {
  const rows: (ThreadItem | EarlierSteps)[] = [];
  let earlier: ThreadItem[] = [];
  for (const [index, item] of items.entries()) {
    if (item.kind === 'event_line' && items[index + 1]?.kind === 'event_line') {
      earlier.push(item);
      continue;
    }
    const [first] = earlier;
    if (first && earlier.length > 1) {
      const keys = earlier.map(({ key }) => key);
      const isExpanded = keys.some((key) => expanded.has(key));
      rows.push({ kind: 'earlier_steps', key: `earlier ${first.key}`, at: first.at, keys, isExpanded });
      if (isExpanded) rows.push(...earlier);
    } else rows.push(...earlier);
    earlier = [];
    rows.push(item);
  }
  return rows;
};
