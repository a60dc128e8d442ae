import type { ListingStatus } from '#contract/listings.ts';
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
import type { Transaction } from '../platform/postgres/database.ts';
import { parseReasonArguments, readActor } from './actor.ts';
import { printLine, runCommand, UsageError } from './command.ts';
import { runWithApp } from './run-with-app.ts';

const usage = `Usage: npm run listing -- <what>
  show <listing>                              one listing
  take-down <listing> --reason "sentence"     hides it; its owner is told the reason and can appeal
  restore <listing> --reason "sentence"       shows it again, unless changes are requested
  approve <listing> --reason "sentence"       publishes it, if it waits for review
  request-changes <listing> --reason "…"      makes it a draft; its owner is told what to change
<listing> is an id or the last part of its address. The audit trail keeps the reasons.`;

const changes = ['take-down', 'restore', 'approve', 'request-changes'];

const formatListing = (listing: ModeratedListing): string =>
  [
    `${listing.slug}  ${listing.title ?? '(no title)'}`,
    `  id          ${listing.id}`,
    `  owner       ${listing.owner_email} (${listing.user_id})${listing.owner_suspended ? ', suspended' : ''}`,
    `  status      ${listing.hidden_with === null ? listing.status : 'hidden'}`,
    ...(listing.hidden_with === 'listing' ? [`  reason      ${listing.hidden_reason}`] : []),
  ].join('\n');

await runCommand(async (config, args) => {
  const { values, positionals } = parseReasonArguments(args, usage);
  const [what, listing, ...rest] = positionals;
  const isKnown = what === 'show' || changes.includes(what ?? '');
  if (!isKnown || listing === undefined || rest.length > 0) throw new UsageError(usage);
  const actor = what && what !== 'show' ? await readActor(what, values.reason, usage) : undefined;
  const { reason = '', name: actorName = '' } = actor ?? {};
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
});
