import { readConfig } from '#server/config.ts';
import { getAccountSummary } from '#server/features/accounts/public.ts';
import {
  type DealForAdministrators,
  endRental,
  getDealForAdministrators,
  listUnreturnedRentals,
} from '#server/features/deals/public.ts';
import { type JsonOption, printLine, printResult } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { type ReasonOptions, readActor } from './actor.ts';

const formatDeal = (deal: DealForAdministrators): string =>
  [
    `${deal.id}  ${deal.kind}, ${deal.state}`,
    `  title    ${JSON.stringify(deal.title)}`,
    `  seller   ${deal.seller_email ?? '(deleted account)'}`,
    `  buyer    ${deal.buyer_email ?? '(deleted account)'}`,
    ...(deal.first_day
      ? [
          `  days     ${[deal.first_day, deal.pickup_time, 'to', deal.last_day, deal.return_time].filter(Boolean).join(' ')}`,
        ]
      : []),
  ].join('\n');

const formatRentals = (rentals: readonly DealForAdministrators[]): string =>
  rentals.length === 0 ? 'No rental is out.' : rentals.map(formatDeal).join('\n');

export const printRentals = (address: string, options: JsonOption): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) => {
    const { email } = await getAccountSummary(app, address);
    printResult(await listUnreturnedRentals(app, email), options, formatRentals);
  });

export const printDeal = (deal: string, options: JsonOption): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) =>
    printResult(await getDealForAdministrators(app, deal), options, formatDeal),
  );

export const end = async (deal: string, options: ReasonOptions): Promise<void> => {
  const config = readConfig(process.env);
  const actor = await readActor('end-rental', options);
  await runWithApp(config, actor, async (app) =>
    printLine(formatDeal(await endRental(app, deal, actor.reason))),
  );
};
