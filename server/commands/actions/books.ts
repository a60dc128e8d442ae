import type { CampusLocale } from '#contract/campus.ts';
import { getNumberFormat } from '#contract/number-format.ts';
import { readConfig } from '#server/config.ts';
import { type ImportProgress, importBooks } from '#server/features/books/public.ts';
import { assertCurrentSchema } from '#server/platform/postgres/migrations.ts';
import { connectToDatabase, resolveFolder } from '../command.ts';
import { printLine } from '../printing.ts';

const formatNumber = (count: number, { locale }: CampusLocale): string =>
  getNumberFormat(locale).format(count);

const formatLines = (count: number, campus: CampusLocale): string =>
  `${formatNumber(count, campus)} ${count === 1 ? 'line' : 'lines'}`;

const barLength = 30;

/** Draws a bar in the line of the terminal on which the previous one was. */
const drawBar = (share: number, { lines }: ImportProgress, campus: CampusLocale): void => {
  const filled = Math.round(barLength * Math.min(share, 1));
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barLength - filled)}`;
  process.stderr.write(`\r${bar} ${Math.floor(100 * Math.min(share, 1))}% ${formatLines(lines, campus)} `);
};

const printResult = (
  { lines, books, skipped, broken, examples }: ImportProgress,
  campus: CampusLocale,
): void => {
  const found = `${formatNumber(books, campus)} ${books === 1 ? 'book' : 'books'}`;
  printLine(`Imported ${found} from ${formatLines(lines, campus)}`);
  if (skipped > 0) printLine(`Without a book: ${formatLines(skipped, campus)}`);
  if (broken === 0) return;
  printLine(`Broken and left out: ${formatLines(broken, campus)}`);
  for (const { line, reason } of examples) printLine(`  line ${line}: ${reason}`);
  if (broken > examples.length) printLine('  …');
};

/** Imports a catalog of books, with a progress bar on a terminal. */
export const importFile = async (file: string): Promise<void> => {
  const config = readConfig(process.env);
  const { campus } = config;
  const { sql, close } = await connectToDatabase(config);
  const hasBar = process.stderr.isTTY === true;
  try {
    await assertCurrentSchema(sql);
    const progress = await importBooks(sql, resolveFolder(file), {
      onResume: ({ lines }) => printLine(`Continuing after line ${formatNumber(lines, campus)}`),
      ...(hasBar && {
        onProgress: (share: number, it: ImportProgress) => drawBar(share, it, campus),
      }),
    });
    if (hasBar) process.stderr.write('\n');
    printResult(progress, campus);
  } finally {
    await close();
  }
};
