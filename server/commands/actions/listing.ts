import type { ListingStatus } from '#contract/listings.ts';
import { readConfig } from '#server/config.ts';
import {
  approveListing,
  getModeratedListing,
  type ModeratedListing,
  requestListingChanges,
  restoreListing,
  takeDownListing,
} from '#server/features/listings/public.ts';
import {
  findRequestedChanges,
  recordListingDecision,
  recordListingReversal,
  wasDraftBeforeDecisions,
} from '#server/features/moderation/public.ts';
import type { Transaction } from '../../platform/postgres/database.ts';
import { type JsonOption, printLine, printResult } from '../printing.ts';
import { runWithApp } from '../run-with-app.ts';
import { type ReasonOptions, readActor } from './actor.ts';

const formatListing = (listing: ModeratedListing): string =>
  [
    `${listing.slug}  ${listing.title ?? '(no title)'}`,
    `  id          ${listing.id}`,
    `  owner       ${listing.owner_email} (${listing.user_id})${listing.owner_suspended ? ', suspended' : ''}`,
    `  status      ${listing.hidden_with === null ? listing.status : 'hidden'}`,
    ...(listing.hidden_with === 'listing' ? [`  reason      ${listing.hidden_reason}`] : []),
  ].join('\n');

export const printListing = (listing: string, options: JsonOption): Promise<void> =>
  runWithApp(readConfig(process.env), undefined, async (app) =>
    printResult(await getModeratedListing(app, listing), options, formatListing),
  );

export type ListingChange = 'take-down' | 'restore' | 'approve' | 'request-changes';

export const change = async (what: ListingChange, listing: string, options: ReasonOptions): Promise<void> => {
  const config = readConfig(process.env);
  const actor = await readActor(what, options);
  const { reason, name: actorName = '' } = actor;
  await runWithApp(config, actor, async (app) => {
    const { id } = await getModeratedListing(app, listing);
    const record =
      (action: 'unpublish' | 'request_changes') =>
      (tx: Transaction, { status }: { status: ListingStatus }) =>
        recordListingDecision(app, tx, { listingId: id, status, action, reason, actorName });
    if (what === 'take-down') await takeDownListing(app, id, reason, record('unpublish'));
    else if (what === 'restore')
      await restoreListing(app, id, {
        wasDraft: (tx) => wasDraftBeforeDecisions(tx, id),
        findRequestedChanges: (tx) => findRequestedChanges(tx, id),
        beforeCommit: (tx) => recordListingReversal(app, tx, id),
      });
    else if (what === 'approve' && !(await approveListing(app, id, app.clock.now())))
      throw new Error('This listing does not wait for review.');
    else if (
      what === 'request-changes' &&
      !(await requestListingChanges(app, id, reason, record('request_changes')))
    )
      throw new Error('This listing is neither published nor waiting for review, or its sale is confirmed.');
    printLine(formatListing(await getModeratedListing(app, id)));
  });
};
