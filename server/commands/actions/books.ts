import { defaultCampus } from '#contract/campus.ts';
import { getNumberFormat } from '#contract/number-format.ts';
import { readConfig } from '#server/config.ts';
import { type ImportProgress, importBooks } from '#server/features/books/public.ts';
import { assertCurrentSchema } from '#server/platform/postgres/migrations.ts';
import { connectToDatabase, resolveFolder } from '../command.ts';
import { printLine } from '../printing.ts';

const formatNumber = (count: number): string => getNumberFormat(defaultCampus.locale).format(count);

const formatCount = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

const barLength = 30;

/** Draws a bar in the line of the terminal on which the previous one was. */
const drawBar = (share: number, { lines }: ImportProgress): void => {
  const filled = Math.round(barLength * Math.min(share, 1));
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barLength - filled)}`;
  process.stderr.write(
    `\r${bar} ${Math.floor(100 * Math.min(share, 1))}% ${formatCount(lines, 'line', 'lines')} `,
  );
};

const printResult = ({ lines, books, skipped, broken, examples }: ImportProgress): void => {
  printLine(`Imported ${formatCount(books, 'book', 'books')} from ${formatCount(lines, 'line', 'lines')}`);
  if (skipped > 0) printLine(`Without a book: ${formatCount(skipped, 'line', 'lines')}`);
  if (broken === 0) return;
  printLine(`Broken and left out: ${formatCount(broken, 'line', 'lines')}`);
  for (const { line, reason } of examples) printLine(`  line ${line}: ${reason}`);
  if (broken > examples.length) printLine('  …');
};

/** Imports a catalog of books, with a progress bar on a terminal. */
export const importFile = async (file: string): Promise<void> => {
  const { sql, close } = await connectToDatabase(readConfig(process.env));
  const hasBar = process.stderr.isTTY === true;
  try {
    await assertCurrentSchema(sql);
    const progress = await importBooks(sql, resolveFolder(file), {
      onResume: ({ lines }) => printLine(`Continuing after line ${formatNumber(lines)}`),
      ...(hasBar && { onProgress: drawBar }),
    });
    if (hasBar) process.stderr.write('\n');
    printResult(progress);
  } finally {
    await close();
  }
};
