import { Argument } from '@commander-js/extra-typings';
import type { ListingChange } from '../actions/listing.ts';
import { jsonOption, type Program, reasonOption } from './parameters.ts';

const loadActions = () => import('../actions/listing.ts');

const changes = {
  'take-down': 'Hides a listing; its owner is told the reason and can appeal',
  restore: 'Shows a listing again, unless changes are requested',
  approve: 'Publishes a listing that waits for review',
  'request-changes': 'Makes a listing a draft; its owner is told what to change',
} satisfies Record<ListingChange, string>;

const listingArgument = () => new Argument('<listing>', 'an id or the last part of its address');

export const declareListing = (program: Program): void => {
  const listing = program.command('listing').description('Listings');
  listing
    .command('show')
    .description('Shows a listing')
    .addArgument(listingArgument())
    .addOption(jsonOption())
    .action(async (id, options) => (await loadActions()).printListing(id, options));
  for (const [name, description] of Object.entries(changes)) {
    listing
      .command(name)
      .description(description)
      .addArgument(listingArgument())
      .addOption(reasonOption())
      .action(async (id, options) => (await loadActions()).change(name as ListingChange, id, options));
  }
};
