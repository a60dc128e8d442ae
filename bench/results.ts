import { appendFileSync, readFileSync } from 'node:fs';

/** One row of the table that `npm run bench` prints at the end. */
export interface Result {
  what: string;
  /** Result of Quad with its unit; `limit` is the baseline's result in the same run. */
  ours: string;
  limit?: string;
  ratio?: number;
  goal?: string;
  met?: boolean;
}

/** File that results are appended to as JSON lines; not set when a single benchmark is run directly. */
const resultsFile = process.env.BENCH_RESULTS;

/** Appends a result to the results file of `npm run bench`; does nothing when a single benchmark is run directly. */
export const recordResult = (result: Result): void => {
  if (resultsFile) appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
};

export const readResults = (from: string): Result[] =>
  readFileSync(from, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Result);

const formatCells = ({ what, ours, limit = '', ratio, goal = '', met }: Result): string[] => {
  const verdict = met === undefined ? '' : met ? ': met' : ': MISSED';
  return [what, ours, limit, ratio === undefined ? '' : ratio.toFixed(2), goal + verdict];
};

/** Returns the results as a Markdown table. */
export const formatTable = (results: readonly Result[]): string =>
  [
    ['what', 'Quad', 'limit', 'ratio', 'goal'],
    ['---', '---', '---', '---', '---'],
    ...results.map(formatCells),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
