import { Argument } from '@commander-js/extra-typings';
import { formatCompletion, shells } from '../completion.ts';
import type { Program } from './parameters.ts';

export const declareOperation = (program: Program): void => {
  program
    .command('start')
    .description('Runs the server in the foreground')
    .action(async () => {
      await import('#server/main.ts');
    });
  program
    .command('backup')
    .description('Makes a backup while servers run')
    .argument('[folder]', 'a new folder; backups/<time> without one')
    .action(async (folder) => (await import('../actions/backup.ts')).backUp(folder));
  program
    .command('restore')
    .description('Restores a backup into an empty database, store and QUAD_DATA_DIR')
    .argument('<folder>', 'a backup')
    .option('--trial', 'a copy to try the backup: without push subscriptions, so that it notifies nobody')
    .action(async (folder, options) => (await import('../actions/restore.ts')).restore(folder, options));
  program
    .command('migrate')
    .description('Brings the schema up to date beside the running servers of the previous version')
    .action(async () => (await import('../actions/migrate.ts')).migrate());
  program
    .command('demo')
    .description('The demo campus')
    .command('remove')
    .description('Deletes the demo accounts with their listings, photos and conversations')
    .action(async () => (await import('../actions/demo.ts')).remove());
  program
    .command('rotate-keys')
    .description('Publishes a new signing key, which takes over in 15 minutes in every running process')
    .action(async () => (await import('../actions/rotate-keys.ts')).rotateKeys());
  program
    .command('release')
    .description('Copies this checkout to a new release, prepares it and makes it the one that starts next')
    .argument('<folder>', 'folder of the releases, such as /opt/quad')
    .action(async (folder) => (await import('../actions/release.ts')).release(folder));
  program
    .command('completion')
    .description('Prints the completion of a shell: eval "$(quad completion bash)"')
    .addArgument(new Argument('<shell>').choices(shells))
    .action(async (shell) => {
      process.stdout.write(formatCompletion(program, shell));
    });
};
