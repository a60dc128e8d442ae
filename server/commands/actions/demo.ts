import { readConfig } from '#server/config.ts';
import { removeDemoCampus } from '#server/demo/remove.ts';
import { printLine } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { createShellActor } from './actor.ts';

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Removes the demo campus. */
export const remove = async (): Promise<void> => {
  const config = readConfig(process.env);
  await runWithApp(config, createShellActor('demo campus removed'), async (app) => {
    const removed = await removeDemoCampus(app);
    if (removed.accounts === 0) {
      printLine('There is no demo campus in this database.');
      return;
    }
    const parts = [
      formatCount(removed.listings, 'listing'),
      formatCount(removed.photos, 'photo'),
      formatCount(removed.conversations, 'conversation'),
    ];
    printLine(`Removed ${formatCount(removed.accounts, 'demo account')} with ${parts.join(', ')}.`);
    printLine('The server deletes the photo files in the background.');
    if (config.demo)
      printLine('With QUAD_DEMO=on the next start fills the database again while nobody has an account.');
  });
};
