import { Argument } from '@commander-js/extra-typings';
import type { ConsoleRole } from '#contract/console.ts';
import type { AccountChange } from '../actions/user.ts';
import { createNumberParser, jsonOption, type Program, reasonOption } from './parameters.ts';

const loadActions = () => import('../actions/user.ts');

const roles = Object.keys({
  moderator: true,
  administrator: true,
  user: true,
} satisfies Record<ConsoleRole | 'user', true>);

/** The subcommands that change an account and take nothing else. */
const changes = {
  confirm: 'Confirms the address in place of a code; clears password and name of the sign-up',
  'send-reset': 'Mails a link that sets a new password',
  lift: 'Undoes suspend',
  verify: 'Gives the badge of a verified person',
  unverify: 'Takes the badge; a campus address does not bring it back',
  'end-sessions': 'Signs the person out everywhere',
  'remove-second-factor':
    'Removes the authenticator app, recovery codes and all passkeys of a person who lost them',
  'disconnect-sign-on':
    'Disconnects the university’s sign-on, so that another account of it can be connected',
} satisfies Record<AccountChange, string>;

const who = () => new Argument('<who>', 'an id or a whole address');

export const declareUser = (program: Program): void => {
  const user = program.command('user').description('Accounts');
  user
    .command('find')
    .description('Lists accounts whose address or name contains the text')
    .argument('<text>')
    .addOption(jsonOption())
    .action(async (text, options) => (await loadActions()).printMatches(text, options));
  user
    .command('show')
    .description('Shows an account')
    .addArgument(who())
    .addOption(jsonOption())
    .action(async (account, options) => (await loadActions()).printUser(account, options));
  user
    .command('memberships')
    .description('Lists which memberships of the campus end when, and by when the others are confirmed')
    .addOption(jsonOption())
    .action(async (options) => (await loadActions()).printMemberships(options));
  user
    .command('create')
    .description('Creates an account without a password; a code to sign in with is mailed')
    .argument('<address>')
    .addOption(reasonOption())
    .action(async (address, options) => (await loadActions()).create(address, options));
  for (const [name, description] of Object.entries(changes)) {
    user
      .command(name)
      .description(description)
      .addArgument(who())
      .addOption(reasonOption())
      .action(async (account, options) =>
        (await loadActions()).change(name as AccountChange, account, options),
      );
  }
  user
    .command('suspend')
    .description(
      'Ends all sessions, refuses sign-in and hides what is published; the person is told the reason by email',
    )
    .addArgument(who())
    .option('--days <days>', 'ends the suspension after so many days', createNumberParser(9999))
    .addOption(reasonOption())
    .action(async (account, options) => (await loadActions()).suspend(account, options));
  user
    .command('role')
    .description('Gives the role moderator or administrator, or takes it: user')
    .addArgument(who())
    .addArgument(new Argument('<role>').choices(roles))
    .addOption(reasonOption())
    .action(async (account, role, options) => (await loadActions()).setRole(account, role, options));
  user
    .command('export')
    .description(
      'Prints everything stored about a person who cannot log in, as the download in Settings does',
    )
    .addArgument(who())
    .addOption(reasonOption())
    .action(async (account, options) => (await loadActions()).exportData(account, options));
  user
    .command('move-sign-on')
    .description('Moves all connections with the university’s sign-on to its new issuer; asks first')
    .argument('<old>', 'the issuer until now')
    .argument('<new>', 'the issuer from now on, with the same subjects')
    .option('--yes', 'does not ask')
    .addOption(reasonOption())
    .action(async (from, to, options) => (await loadActions()).moveSignOnTo(from, to, options));
  user
    .command('delete')
    .description('Deletes an account for good, as Delete Account does; asks first')
    .addArgument(who())
    .option('--yes', 'does not ask')
    .addOption(reasonOption())
    .action(async (account, options) => (await loadActions()).remove(account, options));
};
