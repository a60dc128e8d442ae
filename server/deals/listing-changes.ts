import { conditionLabels } from '#contract/categories.ts';
import { formatDay, formatListingChanges, type ListingChange } from '#contract/deal-lines.ts';
import { isOpenDealState } from '#contract/deal-states.ts';
import { formatPrice } from '#contract/prices.ts';
import { formatPriceUnit } from '#contract/selling.ts';
import { type ListingTerms, termColumns } from '#server/listings/sql.ts';
import type { Clock } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import type { DealAnnouncement } from './announcing.ts';
import * as repository from './listing-changes-repository.ts';
import { deriveEventLineId, type StepDeps } from './steps.ts';

/**
 * How long after a change the buyers are informed, in seconds: an owner who saves several times in a row
 * causes one event line.
 */
export const changeNoticeDelaySeconds = 60;

const describeTerms = ({
  title,
  price,
  rental_period: period,
  condition,
  location,
  game_date: day,
}: ListingTerms) => ({
  title: title && `“${title}”`,
  price: price === null ? null : `${formatPrice(price)}${formatPriceUnit(period) ?? ''}`,
  condition: condition && conditionLabels[condition],
  location: location && `“${location}”`,
  game_date: day && formatDay(day),
});

/** Returns what differs between two states of a listing, in the order of a sentence. */
export const compareTerms = (before: ListingTerms, after: ListingTerms): ListingChange[] => {
  const [old, current] = [describeTerms(before), describeTerms(after)];
  const fields = ['price', 'title', 'condition', 'location', 'game_date'] as const;
  const changes: ListingChange[] = fields
    .filter((field) => old[field] !== current[field])
    .map((field) => ({ field, before: old[field] ?? 'none', after: current[field] ?? 'none' }));
  if (before.description !== after.description)
    changes.push({ field: 'description', before: null, after: null });
  // A new order of the photos is not reported.
  if (before.photos.toSorted().join() !== after.photos.toSorted().join())
    changes.push({ field: 'photos', before: null, after: null });
  return changes;
};

/**
 * Stores the previous terms of a listing, so that the parties of its open deals can be informed about a
 * change; returns whether there is anybody to inform.
 */
export const storePreviousTerms = async (
  tx: Queryable,
  listingId: string,
  { before, after }: { before: ListingTerms; after: ListingTerms },
): Promise<boolean> => {
  if (compareTerms(before, after).length === 0) return false;
  // The caller's row has more columns, which must not be stored with the deals.
  const terms = Object.fromEntries(
    termColumns.map((column) => [column, before[column]]),
  ) as unknown as ListingTerms;
  return repository.storePreviousTerms(tx, listingId, terms);
};

/**
 * Creates the functions that record a change to a listing in the conversations of its open deals, one
 * transaction per deal. The event line is not unread for the owner, who made the change.
 */
export const createListingChanges = ({
  sql,
  clock,
  eventLines,
}: Pick<StepDeps, 'eventLines'> & { sql: Sql; clock: Clock }) => ({
  listDealsToInform: (listingId: string): Promise<string[]> => repository.listDealsToInform(sql, listingId),

  /** Informs the parties of a deal; returns undefined when nothing has to be announced. */
  inform: (listingId: string, dealId: string): Promise<DealAnnouncement | undefined> =>
    runInTransaction(sql, async (tx) => {
      const listing = await repository.lockTerms(tx, listingId);
      const pending = await repository.takePendingChange(tx, dealId);
      // A listing that is not published any more must not reveal its changes.
      if (listing?.status !== 'published' || !pending || !isOpenDealState(pending.state)) return undefined;
      const changes = compareTerms(pending.before, listing);
      if (changes.length === 0) return undefined;
      const line = await eventLines.appendEventLine(tx, {
        conversationId: pending.conversation_id,
        actorId: pending.seller_id,
        isAutomatic: true,
        silentFor: null,
        clientId: deriveEventLineId(dealId, `listing of ${listing.updated_at.toISOString()}`),
        text: formatListingChanges(changes),
        data: { deal_id: dealId, listing_changes: changes },
        now: clock.now(),
      });
      return { line, changedConversations: [], changedListing: undefined };
    }),
});
