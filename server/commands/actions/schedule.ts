import { maxGames } from '#contract/schedule.ts';
import { readConfig } from '#server/config.ts';
import { parseSchedule, replaceSchedule } from '#server/features/schedule/public.ts';
import { readTextFile } from '../command.ts';
import { printLine } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';

/** Replaces the schedule with the games of a file. Lines that cannot be read are named and left out. */
export const importSchedule = async (file: string): Promise<void> => {
  const { games, refused } = parseSchedule(await readTextFile(file));
  for (const reason of refused) printLine(`Left out ${reason}`);
  if (games.length === 0) throw new Error('There is no game in this file, so the schedule stays as it is.');
  if (games.length > maxGames)
    throw new Error(`A schedule has at most ${maxGames} games; this file has ${games.length}.`);
  await runWithApp(readConfig(process.env), undefined, (app) => replaceSchedule(app, games));
  printLine(
    `Imported ${games.length} games${refused.length > 0 ? `, left out ${refused.length} lines` : ''}.`,
  );
};
