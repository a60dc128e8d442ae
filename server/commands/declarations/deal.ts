import { jsonOption, type Program, reasonOption } from './parameters.ts';

const loadActions = () => import('../actions/deal.ts');

export const declareDeal = (program: Program): void => {
  const deal = program.command('deal').description('Deals');
  deal
    .command('rentals')
    .description(
      'Lists the rentals that somebody has out, as owner or renter, which block deleting the account',
    )
    .argument('<address>')
    .addOption(jsonOption())
    .action(async (address, options) => (await loadActions()).printRentals(address, options));
  deal
    .command('show')
    .description('Shows a deal')
    .argument('<deal>')
    .addOption(jsonOption())
    .action(async (id, options) => (await loadActions()).printDeal(id, options));
  deal
    .command('end-rental')
    .description('Ends a rental that is out; both read the reason in their conversation')
    .argument('<deal>')
    .addOption(reasonOption())
    .action(async (id, options) => (await loadActions()).end(id, options));
};
