import { clsx } from 'clsx';
import type { ReactNode } from 'react';

export interface ConsoleTableColumn<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Whether the column contains numbers, which are right-aligned with digits of equal width. */
  numeric?: boolean | undefined;
}

interface ConsoleTableProps<Row> {
  /** Accessible name of the table. */
  label: string;
  columns: readonly ConsoleTableColumn<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
}

/** A table. On phones, each row becomes a block of lines with the column's title before each value. */
export function ConsoleTable<Row>({ label, columns, rows, getKey }: ConsoleTableProps<Row>) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
      <table aria-label={label} className="w-full text-sm max-md:block">
        <thead className="max-md:sr-only">
          <tr className="border-line border-b bg-sunken">
            {columns.map(({ title, numeric }) => (
              <th
                key={title}
                scope="col"
                className={clsx(
                  'px-3 py-2 font-semibold text-ink-muted',
                  numeric ? 'text-right' : 'text-left',
                )}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:block">
          {rows.map((row) => (
            <tr key={getKey(row)} className="border-line not-first:border-t max-md:block max-md:py-2">
              {columns.map(({ title, cell, numeric }) => (
                <td
                  key={title}
                  className={clsx(
                    'px-3 py-1.5 align-middle max-md:flex max-md:gap-3 max-md:py-1',
                    numeric && 'figures md:text-right',
                  )}
                >
                  <span aria-hidden="true" className="w-24 shrink-0 text-ink-muted md:hidden">
                    {title}
                  </span>
                  <div className="min-w-0 break-words">{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
