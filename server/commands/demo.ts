import { removeDemoCampus } from '../demo/remove.ts';
import { shellActor } from './actor.ts';
import { runCommand, say, UsageError } from './command.ts';
import { withServices } from './services.ts';

const usage = `Usage: npm run demo -- remove
Deletes the demo accounts with their listings, photos and conversations.`;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

await runCommand(async (config, args) => {
  if (args.length !== 1 || args[0] !== 'remove') throw new UsageError(usage);
  await withServices(config, shellActor('demo campus removed'), async ({ sql, deletion }) => {
    const removed = await removeDemoCampus({ sql, deleteAccount: deletion.deleteAccount });
    if (removed.accounts === 0) {
      say('There is no demo campus in this database.');
      return;
    }
    const parts = [
      counted(removed.listings, 'listing'),
      counted(removed.photos, 'photo'),
      counted(removed.conversations, 'conversation'),
    ];
    say(`Removed ${counted(removed.accounts, 'demo account')} with ${parts.join(', ')}.`);
    say('The server deletes the photo files in the background.');
    if (config.demo) say('With DEMO=on the next start fills the database again while nobody has an account.');
  });
});
