import type { BenchDatabase } from './bench-database.ts';

/** A kind of query, with variants that the benchmark runs in turn. */
export interface QueryKind {
  name: string;
  goal: 'quick' | 'flat' | 'none';
  /**
   * One function for each variant of the query. Each function runs its variant and returns the total number
   * of matches, or the number of items in the result.
   */
  asks: ((bench: BenchDatabase) => Promise<number>)[];
  /**
   * Hand-written SQL that reads the rows of the same result page. Quad's query is compared with this
   * baseline.
   */
  baselineSql: string;
}
