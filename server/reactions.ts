import { saleUndoSeconds } from '#contract/selling.ts';
import { isTicketListing } from '#contract/tickets.ts';
import {
  announceChangeAbout,
  announceChangeBySeller,
  announceChangeWith,
} from '#server/features/conversations/public.ts';
import {
  assertMayChangeListing,
  assertMayDeleteListing,
  assertNoUnconfirmedHandover,
  assertNoUnreturnedRental,
  assertRentalPhotosRemovable,
  assertSaleNotInDeal,
  limitTicketHold,
  lockStartingDeals,
  recordSale,
  scheduleAccountSettling,
  scheduleChangeNotices,
  schedulePairSettling,
  scheduleSaleSettling,
  scheduleSettling,
  settleRemovedListing,
  storePublicTerms,
} from '#server/features/deals/public.ts';
import {
  checkSeatsOfSeller,
  hideListingsOf,
  hideListingsOfFormerMember,
  showListingsOf,
  showListingsOfMember,
} from '#server/features/listings/public.ts';
import { endWaitingActions, openSignal } from '#server/features/moderation/public.ts';
import { queueSavedListingAlert } from '#server/features/saved-listings/public.ts';
import {
  matchEditedListing,
  matchListingsOnReturn,
  matchPublishedListing,
  rescheduleDailyAlerts,
} from '#server/features/saved-searches/public.ts';
import { afterCommit } from '#server/platform/postgres/database.ts';
import type { Reactions } from './app.ts';
import { addSeconds } from './platform/clock.ts';

/**
 * What happens when something changes: the reactions to each event, in the order in which they run, in the transaction
 * of the event. This is the only file in which a feature learns of the features above it.
 */
export const reactions: Reactions = {
  before_listing_edit: [(_app, tx, { listing, to }) => assertMayChangeListing(tx, listing, to)],
  before_published_listing_edit: [(app, tx, { listingId }) => matchEditedListing(app, tx, listingId)],
  listing_edited: [
    (app, tx, { listingId, before, after }) =>
      scheduleChangeNotices(app, tx, { listing_id: listingId, before, after }),
    async (app, tx, { listingId, after }) => {
      if (isTicketListing(after)) await limitTicketHold(app, tx, listingId);
    },
  ],
  listing_published: [(app, tx, { listingId }) => matchPublishedListing(app, tx, listingId)],
  listing_republished: [
    ({ clock }, tx, { listingId }) =>
      queueSavedListingAlert(tx, { listingId, change: 'price', dueAt: clock.now() }),
  ],
  before_listing_withdrawal: [(_app, tx, event) => assertNoUnconfirmedHandover(tx, event)],
  listing_unpublished: [
    // Deals stay open if the owner publishes the listing again before they are settled. Then their parties are told how
    // it differs from what was public before.
    async (_app, tx, { listing }) => {
      if (listing.status === 'published') await storePublicTerms(tx, listing);
    },
    (app, tx, { listing }) => scheduleSettling(app, tx, { listing_id: listing.id }),
  ],
  listing_taken_down: [(app, tx, { listingId }) => scheduleSettling(app, tx, { listing_id: listingId })],
  listing_available_again: [(app, tx, { listingId }) => scheduleSettling(app, tx, { listing_id: listingId })],
  listing_sold: [
    (app, tx, { listingId }) => scheduleSaleSettling(app, tx, { listing_id: listingId }),
    async (app, tx, { listingId, until }) => {
      const dueAt = addSeconds(app.clock.now(), saleUndoSeconds);
      if (until === null) await queueSavedListingAlert(tx, { listingId, change: 'sold', dueAt });
    },
  ],
  before_sale_answer: [(_app, tx, event) => assertSaleNotInDeal(tx, event)],
  sale_confirmed: [recordSale],
  sale_changed: [
    async (app, tx, { listingId, buyerId }) =>
      afterCommit(tx, () => announceChangeAbout(app, listingId, buyerId)),
  ],
  before_listing_deletion: [(_app, tx, { listingId }) => assertMayDeleteListing(tx, listingId)],
  before_listing_removal: [(app, _tx, { listingId }) => settleRemovedListing(app, listingId)],

  away_changed: [
    (app, tx, { userId, until }) => matchListingsOnReturn(app, tx, userId, until),
    async (app, tx, { userId }) => afterCommit(tx, () => announceChangeBySeller(app, userId)),
  ],

  membership_ended: [
    (_app, tx, { userId }) => hideListingsOfFormerMember(tx, userId),
    // Nobody is told about the listings until they return.
    (app, tx, { userId }) => matchListingsOnReturn(app, tx, userId, 'infinity'),
    async (app, tx, { userId }) => afterCommit(tx, () => announceChangeBySeller(app, userId)),
  ],
  membership_returned: [
    async (app, tx, { userId }) =>
      matchListingsOnReturn(app, tx, userId, await showListingsOfMember(app, tx, userId)),
    async (app, tx, { userId }) => afterCommit(tx, () => announceChangeBySeller(app, userId)),
  ],

  before_account_suspension: [(_app, tx, { userId }) => lockStartingDeals(tx, [userId])],
  account_suspended: [
    (app, tx, { userId }) => hideListingsOf(app, tx, userId),
    (app, tx, { userId }) => scheduleAccountSettling(app, tx, userId),
  ],
  suspension_lifted: [
    (_app, tx, { userId }) => showListingsOf(tx, userId),
    (app, tx, { userId }) => checkSeatsOfSeller(app, tx, userId),
  ],
  before_account_deletion: [
    (_app, tx, { userId }) => assertNoUnreturnedRental(tx, userId),
    (app, tx, { userId }) => endWaitingActions(app, tx, userId),
    (app, tx, { userId }) => scheduleAccountSettling(app, tx, userId),
  ],
  before_role_loss: [(app, tx, { userId }) => endWaitingActions(app, tx, userId)],
  digest_hour_changed: [
    ({ clock, config: { campus } }, tx, { userId }) =>
      rescheduleDailyAlerts(tx, userId, { now: clock.now(), campus }),
  ],
  before_photos_unsent: [(app, tx, { messageId }) => assertRentalPhotosRemovable(app, tx, messageId)],
  // Wait for deals that are being started: a deal committed before this lock is ended by the check that blocking queues,
  // and a later one is refused because of the block.
  before_block: [(_app, tx, { userIds }) => lockStartingDeals(tx, userIds)],
  person_blocked: [
    (app, tx, { userIds }) => schedulePairSettling(app, tx, userIds),
    async (app, tx, { userIds: [userId, blockedId] }) =>
      afterCommit(tx, () => announceChangeWith(app, userId, blockedId)),
  ],

  signal_noticed: [openSignal],
};
