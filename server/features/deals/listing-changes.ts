import type { CampusMoney } from '#contract/campus.ts';
import { conditionLabels } from '#contract/categories.ts';
import {
  type CategoryColumn,
  categoryColumns,
  categoryFieldEntries,
  formatCategoryValue,
} from '#contract/category-fields.ts';
import { formatDay, formatListingChanges, type ListingChange } from '#contract/deal-event-lines.ts';
import { isOpenDealState } from '#contract/deal-states.ts';
import { formatPrice } from '#contract/prices.ts';
import { canUndoSale, formatPriceUnit } from '#contract/selling.ts';
import type { App } from '#server/app.ts';
import { appendEventLine } from '#server/features/conversations/public.ts';
import { type ListingTerms, listingTermColumns } from '#server/features/listings/sql.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { announceDealChange } from './announcing.ts';
import { deriveEventLineId } from './event-line-id.ts';
import * as repository from './listing-changes-repository.ts';

/**
 * Delay in seconds between a change to a listing and its report to the buyers, so that several saves in a row cause
 * only one event line.
 */
export const changeNoticeDelaySeconds = 60;

const describeCategoryTerms = (terms: ListingTerms, campus: CampusMoney) =>
  Object.fromEntries(
    categoryFieldEntries.map(([, field]) => [
      field.column,
      formatCategoryValue(field, terms[field.column as CategoryColumn], campus),
    ]),
  ) as Record<CategoryColumn, string | null>;

const describeTerms = (terms: ListingTerms, campus: CampusMoney) => {
  const { title, price, rental_period: period, condition, location, game_date: day } = terms;
  return {
    title: title && `“${title}”`,
    price: price === null ? null : `${formatPrice(campus, price)}${formatPriceUnit(period) ?? ''}`,
    condition: condition && conditionLabels[condition],
    location: location && `“${location}”`,
    game_date: day && formatDay(day, campus),
    ...describeCategoryTerms(terms, campus),
  };
};

/** Returns the differences between two states of a listing, in the order in which the event line lists them. */
export const listTermChanges = (
  before: ListingTerms,
  after: ListingTerms,
  campus: CampusMoney,
): ListingChange[] => {
  const [old, current] = [describeTerms(before, campus), describeTerms(after, campus)];
  const fields = ['price', 'title', 'condition', 'location', 'game_date', ...categoryColumns] as const;
  const changes: ListingChange[] = fields
    .filter((field) => old[field] !== current[field])
    .map((field) => ({ field, before: old[field] ?? 'none', after: current[field] ?? 'none' }));
  if (before.description !== after.description)
    changes.push({ field: 'description', before: null, after: null });
  // Compare sorted copies, because a new order of the photos is not reported.
  if (before.photos.toSorted().join() !== after.photos.toSorted().join())
    changes.push({ field: 'photos', before: null, after: null });
  return changes;
};

/**
 * Returns whether a moderator may still approve the listing, or its owner undo that it was deleted or marked as sold. Its
 * changes wait until then, because settling its deals afterwards reports them.
 */
const mayBecomePublicAgain = (listing: repository.LockedTerms, now: Date): boolean =>
  listing.status === 'in_review' ||
  listing.deleted_at !== null ||
  (listing.status === 'sold' && canUndoSale(listing, now));

/**
 * Stores the terms of a listing before it changes, so that the change can be reported to the parties of its open
 * deals. Returns whether there are such deals.
 */
export const storePreviousTerms = (
  tx: Queryable,
  listingId: string,
  before: ListingTerms,
): Promise<boolean> => {
  // Callers pass complete listing rows; store only the columns of the terms.
  const terms = Object.fromEntries(
    listingTermColumns.map((column) => [column, before[column]]),
  ) as unknown as ListingTerms;
  return repository.storePreviousTerms(tx, listingId, terms);
};

/**
 * Records a change to a listing in the conversation of one of its deals. The event line does not count as unread for the
 * owner, who made the change.
 */
const reportListingChange = (app: App, listingId: string, dealId: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    const listing = await repository.lockListingTerms(tx, listingId);
    if (listing && mayBecomePublicAgain(listing, app.clock.now())) return;
    const pending = await repository.takePendingListingChange(tx, dealId);
    // Changes of a listing that is no longer published must stay hidden.
    if (listing?.status !== 'published' || !pending || !isOpenDealState(pending.state)) return;
    const changes = listTermChanges(pending.before, listing, app.config.campus);
    if (changes.length === 0) return;
    const line = await appendEventLine(app, tx, {
      conversationId: pending.conversation_id,
      actorId: pending.seller_id,
      isAutomatic: true,
      silentFor: null,
      clientId: deriveEventLineId(dealId, `listing of ${listing.updated_at.toISOString()}`),
      text: formatListingChanges(changes),
      data: { deal_id: dealId, listing_changes: changes },
      now: app.clock.now(),
    });
    announceDealChange(app, tx, { line });
  });

/** Records a change to a listing in the conversations of its open deals, in one transaction per deal. */
export const reportListingChanges = async (app: App, listingId: string): Promise<void> => {
  for (const dealId of await repository.listDealsToInform(app.sql, listingId))
    await reportListingChange(app, listingId, dealId);
};
