import { appendFileSync, readFileSync } from 'node:fs';

/** One row of the table that `npm run bench` prints at the end. */
export interface Result {
  what: string;
  /** Result and baseline of the same run, with units. */
  ours: string;
  limit?: string;
  ratio?: number;
  goal?: string;
  met?: boolean;
}

/** File that collects results as JSON lines; unset when a benchmark runs by itself. */
const file = process.env.BENCH_RESULTS;

/** Records a result for the table, if one is being created. */
export const record = (result: Result): void => {
  if (file) appendFileSync(file, `${JSON.stringify(result)}\n`);
};

export const readResults = (from: string): Result[] =>
  readFileSync(from, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Result);

const cellsOf = ({ what, ours, limit = '', ratio, goal = '', met }: Result): string[] => {
  const verdict = met === undefined ? '' : met ? ': met' : ': MISSED';
  return [what, ours, limit, ratio === undefined ? '' : ratio.toFixed(2), goal + verdict];
};

/** Returns the results as a Markdown table. */
export const tableOf = (results: readonly Result[]): string =>
  [['what', 'Quad', 'limit', 'ratio', 'goal'], ['---', '---', '---', '---', '---'], ...results.map(cellsOf)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
