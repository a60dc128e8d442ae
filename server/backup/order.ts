import type { TableShape } from './repository.ts';

const nameOf = ({ schema, name }: Pick<TableShape, 'schema' | 'name'>): string => `${schema}.${name}`;

/** Sorts tables so that each comes after those it references. Throws when references form a cycle. */
export const inDependencyOrder = <Table extends TableShape>(
  tables: readonly Table[],
  references: readonly { from: string; to: string }[],
): Table[] => {
  const ordered: Table[] = [];
  const placed = new Set<string>();
  let waiting = [...tables];
  while (waiting.length > 0) {
    const ready = waiting.filter((table) =>
      references.every(({ from, to }) => from !== nameOf(table) || placed.has(to)),
    );
    if (ready.length === 0)
      throw new Error(`These tables refer in a circle: ${waiting.map(nameOf).join(', ')}`);
    for (const table of ready) placed.add(nameOf(table));
    ordered.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered;
};
