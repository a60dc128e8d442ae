import { jsonOption, type Program, reasonOption } from './parameters.ts';

const loadActions = () => import('../actions/announcement.ts');

export const declareAnnouncement = (program: Program): void => {
  const announcement = program
    .command('announcement')
    .description('The announcement on top of all pages')
    .addHelpText(
      'after',
      '\nA time is written as 2026-12-01T08:00:00Z or with an offset, as in 2026-12-01T08:00:00-08:00.',
    );
  announcement
    .command('show')
    .description('Shows the announcement, and when pages show it')
    .addOption(jsonOption())
    .action(async (options) => (await loadActions()).print(options));
  announcement
    .command('set')
    .description('Shows a text on top of all pages, in place of the previous one')
    .argument('<text>')
    .requiredOption('--until <time>', 'when it ends')
    .option('--from <time>', 'when it begins; from now on without it')
    .addOption(reasonOption())
    .action(async (text, options) => (await loadActions()).set(text, options));
  announcement
    .command('remove')
    .description('Removes the announcement')
    .addOption(reasonOption())
    .action(async (options) => (await loadActions()).remove(options));
};
