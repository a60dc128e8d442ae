import { isCategory } from '#contract/categories.ts';
import type { Message } from '#contract/conversations.ts';
import type { App } from '#server/app.ts';
import type { ConversationChange } from '#server/features/conversations/public.ts';
import { announceConversationChange, announceEventLine } from '#server/features/conversations/public.ts';
import { invalidateListingPages } from '#server/pages/public.ts';
import { afterCommit, type Queryable } from '#server/platform/postgres/database.ts';
import type { DealListing } from './listing-repository.ts';

/** The parts of a change to a deal that are published after the commit. */
export interface DealChange {
  /** The event line of the change, or undefined for a change without one. */
  line?: Pick<Message, 'conversation_id' | 'seq'>;
  /** Conversations whose view of a deal changed without a new event line, so their clients must be notified separately. */
  changedConversations?: readonly ConversationChange[];
  /** The listing whose public pages must be invalidated. */
  changedListing?: Pick<DealListing, 'id' | 'category'> | undefined;
}

/**
 * Publishes a change to connected clients, and invalidates the cached pages of its listing, when the transaction has
 * been committed.
 */
export const announceDealChange = (
  app: App,
  tx: Queryable,
  { line, changedConversations = [], changedListing: listing }: DealChange,
): void =>
  afterCommit(tx, async () => {
    if (line) await announceEventLine(app, line);
    for (const change of changedConversations) await announceConversationChange(app, change);
    if (listing)
      await invalidateListingPages(app, listing.id, isCategory(listing.category) ? [listing.category] : []);
  });
