import { isCategory } from '#contract/categories.ts';
import type { Message } from '#contract/conversations.ts';
import type { ConversationChange, EventLineService } from '#server/features/conversations/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { DealListing } from './listing-repository.ts';

/** The parts of a committed change to a deal that must be published. */
export interface DealChange {
  /** The event line to publish, or undefined for a change without one. */
  line: Pick<Message, 'conversation_id' | 'seq'> | undefined;
  /** Conversations whose view of a deal changed without a new event line, so their clients must be notified separately. */
  changedConversations: readonly ConversationChange[];
  /** The listing whose public pages must be invalidated. */
  changedListing: Pick<DealListing, 'id' | 'category'> | undefined;
}

export interface DealChangePublisherDeps {
  sql: Sql;
  clock: Clock;
  eventLines: Pick<EventLineService, 'announceEventLine' | 'announceChange'>;
  invalidation: Pick<PageInvalidation, 'listingChanged'>;
}

/**
 * Returns a function that publishes a committed change to connected clients and invalidates the
 * cached pages of its listing.
 */
export const createDealChangePublisher =
  ({ eventLines, invalidation }: DealChangePublisherDeps) =>
  async ({ line, changedConversations, changedListing: listing }: DealChange): Promise<void> => {
    if (line) await eventLines.announceEventLine(line);
    for (const change of changedConversations) await eventLines.announceChange(change);
    if (listing)
      await invalidation.listingChanged(listing.id, isCategory(listing.category) ? [listing.category] : []);
  };
