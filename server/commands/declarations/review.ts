import { Argument } from '@commander-js/extra-typings';
import { jsonOption, type Program, reasonOption } from './parameters.ts';

const loadActions = () => import('../actions/review.ts');

const reviewArgument = () => new Argument('<review>', 'the id after #review- in the link of a report');

export const declareReview = (program: Program): void => {
  const review = program.command('review').description('Reviews of people');
  review
    .command('show')
    .description('Shows a review')
    .addArgument(reviewArgument())
    .addOption(jsonOption())
    .action(async (id, options) => (await loadActions()).printReview(id, options));
  review
    .command('remove')
    .description('Removes text and stars of a review from the profile')
    .addArgument(reviewArgument())
    .addOption(reasonOption())
    .action(async (id, options) => (await loadActions()).remove(id, options));
  review
    .command('restore')
    .description('Shows a review again')
    .addArgument(reviewArgument())
    .addOption(reasonOption())
    .action(async (id, options) => (await loadActions()).restore(id, options));
};
