import type { ListingModeration } from '../listings/public.ts';
import { parseReasonArguments, readActor } from './actor.ts';
import { printLine, runCommand, UsageError } from './command.ts';
import { withServices } from './services.ts';

const usage = `Usage: npm run listing -- <what>
  show <listing>                              one listing
  take-down <listing> --reason "sentence"     hides it; its owner is told the reason and can appeal
  restore <listing> --reason "sentence"       shows it again
  approve <listing> --reason "sentence"       publishes it, if it waits for review
  request-changes <listing> --reason "…"      makes it a draft; its owner is told what to change
<listing> is an id or the last part of its address. The audit trail keeps the reasons.`;

const changes = ['take-down', 'restore', 'approve', 'request-changes'];

type ModeratedListing = Awaited<ReturnType<ListingModeration['get']>>;

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
  const isKnown = ['show', 'take-down', 'restore'].includes(what ?? '');
  if (!isKnown || listing === undefined || rest.length > 0) throw new UsageError(usage);
  const actor =
    what === 'take-down' || what === 'restore' ? await readActor(what, values.reason, usage) : undefined;
  await withServices(config, actor, async ({ listingModeration }) => {
    if (what === 'take-down')
      printLine(formatListing(await listingModeration.takeDown(listing, actor?.reason ?? '')));
    else if (what === 'restore') printLine(formatListing(await listingModeration.restore(listing)));
    else printLine(formatListing(await listingModeration.get(listing)));
  });
});
