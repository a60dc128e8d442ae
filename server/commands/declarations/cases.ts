import { Argument, Option } from '@commander-js/extra-typings';
import type { CaseAction } from '#contract/moderation.ts';
import { createNumberParser, jsonOption, type Program, parseId, reasonOption } from './parameters.ts';

const loadActions = () => import('../actions/cases.ts');

const actions = Object.keys({
  dismiss: true,
  warn: true,
  unpublish: true,
  request_changes: true,
  suspend: true,
  restore: true,
} satisfies Record<CaseAction, true>);

const caseArgument = () => new Argument('<case>', 'an id').argParser(parseId);

export const declareCases = (program: Program): void => {
  const cases = program.command('cases').description('Reports and automatic signals');
  cases
    .command('list')
    .description('Lists cases by risk and age')
    .addOption(
      new Option('--state <state>', 'without it, all that are not resolved').choices([
        'open',
        'assigned',
        'resolved',
      ] as const),
    )
    .addOption(new Option('--risk <risk>').choices(['1', '2', '3'] as const))
    .option('--min-hours <hours>', 'only those that have waited so long')
    .option('--appeals', 'only those with an appeal')
    .option('--cursor <cursor>', 'continues a list')
    .addOption(jsonOption())
    .action(async (options) => (await loadActions()).printCases(options));
  cases
    .command('show')
    .description('Shows everything that moderators see')
    .addArgument(caseArgument())
    .addOption(jsonOption())
    .action(async (id, options) => (await loadActions()).printCase(id, options));
  cases
    .command('assign')
    .description('Reserves a case for 15 minutes for a moderator')
    .addArgument(caseArgument())
    .requiredOption('--to <moderator>', 'an id or a whole address')
    .action(async (id, options) => (await loadActions()).assign(id, options));
  cases
    .command('act')
    .description('Decides a case; takes effect 10 seconds later. The person concerned is told the reason')
    .addArgument(caseArgument())
    .addArgument(new Argument('<action>', 'restore grants an appeal, dismiss rejects it').choices(actions))
    .option('--days <days>', 'length of a suspension', createNumberParser(9999))
    .option('--now', 'a suspension takes effect immediately')
    .option('--version <version>', 'publishes the listing only as show printed it')
    .addOption(reasonOption())
    .action(async (id, action, options) => (await loadActions()).act(id, action, options));
  cases
    .command('undo')
    .description('Withdraws an action before it takes effect')
    .addArgument(new Argument('<action>', 'an id').argParser(parseId))
    .action(async (action) => (await loadActions()).undo(action));
};
