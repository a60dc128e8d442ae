import { appendFileSync, readFileSync } from 'node:fs';

/** One line of the table that `npm run bench` ends with. */
export interface Result {
  what: string;
  /** Our figure and its limit of the same run, with their units. */
  ours: string;
  limit?: string;
  ratio?: number;
  goal?: string;
  met?: boolean;
}

/** Where results are gathered, one JSON a line; unset when a bench runs by itself. */
const file = process.env.BENCH_RESULTS;

/** Hands a figure to the table, if somebody makes one. */
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

/** The results as a Markdown table. */
export const tableOf = (results: readonly Result[]): string =>
  [['what', 'Quad', 'limit', 'ratio', 'goal'], ['---', '---', '---', '---', '---'], ...results.map(cellsOf)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
