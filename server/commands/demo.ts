import { removeDemoCampus } from '#server/demo/remove.ts';
import { createShellActor } from './actor.ts';
import { printLine, runCommand, UsageError } from './command.ts';
import { runWithApp } from './run-with-app.ts';

const usage = `Usage: npm run demo -- remove
Deletes the demo accounts with their listings, photos and conversations.`;

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

await runCommand(async (config, args) => {
  if (args.length !== 1 || args[0] !== 'remove') throw new UsageError(usage);
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
});
