import type { TableWithColumns } from './repository.ts';

const formatTableName = ({ schema, name }: Pick<TableWithColumns, 'schema' | 'name'>): string =>
  `${schema}.${name}`;

/**
 * Returns the tables sorted so that each one comes after the tables it references. Throws when references form a cycle.
 */
export const sortByDependency = <Table extends TableWithColumns>(
  tables: readonly Table[],
  references: readonly { from: string; to: string }[],
): Table[] => {
  const ordered: Table[] = [];
  const orderedNames = new Set<string>();
  let remaining = [...tables];
  while (remaining.length > 0) {
    const ready = remaining.filter((table) =>
      references.every(({ from, to }) => from !== formatTableName(table) || orderedNames.has(to)),
    );
    if (ready.length === 0)
      throw new Error(`These tables refer in a circle: ${remaining.map(formatTableName).join(', ')}`);
    for (const table of ready) orderedNames.add(formatTableName(table));
    ordered.push(...ready);
    remaining = remaining.filter((table) => !ready.includes(table));
  }
  return ordered;
};
