import type { Program } from './parameters.ts';

export const declareSchedule = (program: Program): void => {
  program
    .command('schedule')
    .description('Games and events for which tickets are offered')
    .command('import')
    .description(
      'Replaces the schedule with a file: a day such as 2026-11-28, a comma and a name in each line',
    )
    .argument('<file>')
    .action(async (file) => (await import('../actions/schedule.ts')).importSchedule(file));
};
