import { getAccountSummary } from '#server/features/accounts/public.ts';
import {
  type DealForAdministrators,
  endRental,
  getDealForAdministrators,
  listUnreturnedRentals,
} from '#server/features/deals/public.ts';
import { parseReasonArguments, readActor } from './actor.ts';
import { printLine, runCommand, UsageError } from './command.ts';
import { runWithApp } from './run-with-app.ts';

const usage = `Usage: npm run deal -- <what>
  rentals <address>                         the rentals that somebody has out, as owner or renter
  show <deal>                               one deal
  end-rental <deal> --reason "sentence"     ends a rental that is out; both read the reason in their conversation
The audit trail keeps the reasons.`;

const formatDeal = (deal: DealForAdministrators): string =>
  [
    `${deal.id}  ${deal.kind}, ${deal.state}`,
    `  title    ${JSON.stringify(deal.title)}`,
    `  seller   ${deal.seller_email ?? '(deleted account)'}`,
    `  buyer    ${deal.buyer_email ?? '(deleted account)'}`,
    ...(deal.first_day ? [`  days     ${deal.first_day} to ${deal.last_day}`] : []),
  ].join('\n');

const formatRentals = (rentals: readonly DealForAdministrators[]): string =>
  rentals.length === 0 ? 'No rental is out.' : rentals.map(formatDeal).join('\n');

await runCommand(async (config, args) => {
  const { values, positionals } = parseReasonArguments(args, usage);
  const [what, subject, ...rest] = positionals;
  const isKnown = ['rentals', 'show', 'end-rental'].includes(what ?? '');
  if (!isKnown || subject === undefined || rest.length > 0) throw new UsageError(usage);
  const actor = what === 'end-rental' ? await readActor(what, values.reason, usage) : undefined;
  await runWithApp(config, actor, async (app) => {
    if (actor) printLine(formatDeal(await endRental(app, subject, actor.reason)));
    else if (what === 'show') printLine(formatDeal(await getDealForAdministrators(app, subject)));
    else {
      const { email } = await getAccountSummary(app, subject);
      printLine(formatRentals(await listUnreturnedRentals(app, email)));
    }
  });
});
