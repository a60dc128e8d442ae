import type { ConsoleCourse } from '#contract/console-courses.ts';
import { readConfig } from '#server/config.ts';
import { importCourses, listConsoleCourses, removeCourse } from '#server/features/books/public.ts';
import { readTextFile } from '../command.ts';
import { type JsonOption, printLine, printResult } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { type ReasonOptions, readActor } from './actor.ts';

const formatCourse = ({ code, title, term, books }: ConsoleCourse): string =>
  [code.padEnd(12), title, ...(term ? [`(${term})`] : []), ...(books > 0 ? [`– ${books} ISBN`] : [])].join(
    ' ',
  );

export const printCourses = (
  text: string | undefined,
  options: JsonOption & { after?: string | undefined },
): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) => {
    const { items } = await listConsoleCourses(app, { q: text, cursor: options.after });
    if (options.json || items.length > 0)
      printResult(items, options, () => items.map(formatCourse).join('\n'));
  });

/** Imports courses from a CSV file, and prints how many, with the broken lines. */
export const importFile = async (file: string, options: ReasonOptions): Promise<void> => {
  const content = await readTextFile(file);
  const actor = await readActor('import', options);
  await runWithApp(readConfig(process.env), actor, async (app) => {
    const { added, changed, duplicates, broken, examples } = await importCourses(app, content);
    printLine(`Courses added: ${added}, changed: ${changed}`);
    if (duplicates > 0) printLine(`Named more than once, of which the last counts: ${duplicates} lines`);
    if (broken > 0) printLine(`Broken: ${broken} lines`);
    for (const { line, reason } of examples) printLine(`  line ${line}: ${reason}`);
    if (broken > examples.length) printLine('  …');
  });
};

export const remove = async (code: string, options: ReasonOptions): Promise<void> => {
  const actor = await readActor('remove', options);
  await runWithApp(readConfig(process.env), actor, (app) => removeCourse(app, code));
};
