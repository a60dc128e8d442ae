import { CsvError, parse } from 'csv-parse/sync';

/** A row of a CSV file. */
export interface CsvRow {
  /** Number of the line on which the row ends, from 1. */
  line: number;
  cells: string[];
}

/** Returns the character between the cells of a file: the first comma, tab or semicolon of its first line outside quotes. */
const findDelimiter = (text: string): string => {
  const firstLine = text.split('\n', 1)[0] ?? '';
  return /[,\t;]/.exec(firstLine.replaceAll(/"[^"]*"/g, ''))?.[0] ?? ',';
};

/**
 * Returns the rows of a CSV file that have a cell with a text, with trimmed cells. Cells may be quoted and contain commas.
 * Returns undefined when a quote is not closed.
 */
export const parseCsv = (text: string): CsvRow[] | undefined => {
  try {
    const rows: unknown[] = parse(text, {
      bom: true,
      delimiter: findDelimiter(text),
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_records_with_empty_values: true,
      trim: true,
    });
    return (rows as { info: { lines: number }; record: string[] }[]).map(({ info, record }) => ({
      line: info.lines,
      cells: record,
    }));
  } catch (error) {
    if (error instanceof CsvError) return undefined;
    throw error;
  }
};
