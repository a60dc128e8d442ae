import { isCategory } from '#contract/categories.ts';
import type { Message } from '#contract/conversations.ts';
import type { ConversationChange, EventLineService } from '#server/conversations/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { DealListing } from './listing-repository.ts';

/** What a committed change to a deal has to announce. */
export interface DealAnnouncement {
  /** The event line to announce; undefined for a change without one. */
  line: Pick<Message, 'conversation_id' | 'seq'> | undefined;
  /** The conversations whose deal now looks different although they got no event line. */
  changedConversations: readonly ConversationChange[];
  /** The listing whose public pages changed. */
  changedListing: Pick<DealListing, 'id' | 'category'> | undefined;
}

export interface AnnouncerDeps {
  sql: Sql;
  clock: Clock;
  eventLines: Pick<EventLineService, 'announceEventLine' | 'announceChange'>;
  invalidation: Pick<PageInvalidation, 'listingChanged'>;
}

/** Returns a function that announces a committed change to connected clients and to the cached pages of its listing. */
export const createAnnouncer =
  ({ eventLines, invalidation }: AnnouncerDeps) =>
  async ({ line, changedConversations, changedListing: listing }: DealAnnouncement): Promise<void> => {
    if (line) await eventLines.announceEventLine(line);
    for (const change of changedConversations) await eventLines.announceChange(change);
    if (listing)
      await invalidation.listingChanged(listing.id, isCategory(listing.category) ? [listing.category] : []);
  };
