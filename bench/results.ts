import { appendFileSync, readFileSync } from 'node:fs';

/** One row of the table that `npm run bench` prints at the end. */
export interface BenchResult {
  what: string;
  /** Quad's result with its unit. `limit` is the result of the baseline in the same run. */
  ours: string;
  limit?: string;
  ratio?: number;
  goal?: string;
  met?: boolean;
}

/**
 * File to which each benchmark appends its results as JSON lines. `npm run bench` sets this variable; it is
 * undefined when a benchmark is run directly.
 */
const resultsFile = process.env.BENCH_RESULTS;

/** Appends a result to the results file of `npm run bench`; does nothing when a single benchmark is run directly. */
export const recordResult = (result: BenchResult): void => {
  if (resultsFile) appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
};

export const readResults = (from: string): BenchResult[] =>
  readFileSync(from, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as BenchResult);

const formatCells = ({ what, ours, limit = '', ratio, goal = '', met }: BenchResult): string[] => {
  const verdict = met === undefined ? '' : met ? ': met' : ': MISSED';
  return [what, ours, limit, ratio === undefined ? '' : ratio.toFixed(2), goal + verdict];
};

/** Returns benchmark results as a Markdown table. */
export const formatResultTable = (results: readonly BenchResult[]): string =>
  [
    ['what', 'Quad', 'limit', 'ratio', 'goal'],
    ['---', '---', '---', '---', '---'],
    ...results.map(formatCells),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
