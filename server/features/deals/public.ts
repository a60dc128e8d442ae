export { endRental, getDealForAdministrators, listUnreturnedRentals } from './administration.ts';
export type { DealForAdministrators } from './administration-repository.ts';
export { applyDealDeadlines } from './deadline-job.ts';
export { drawGifts } from './draw.ts';
export {
  assertMayChangeListing,
  assertMayDeleteListing,
  assertNoUnconfirmedHandover,
  assertNoUnreturnedRental,
  assertSaleNotInDeal,
} from './listing-rules.ts';
export { makeDealTransition } from './make-transition.ts';
export { sendDealNotices } from './notice-job.ts';
export { skipDueNotices } from './notice-repository.ts';
export { findDealNotices } from './notice-source.ts';
export { findDealPush } from './push-source.ts';
export { addRentalPhotos, assertRentalPhotosRemovable } from './rental-photos.ts';
export { recordSale } from './sale-recorder.ts';
export { settleDeals, settleRemovedListing } from './settling.ts';
export {
  type DealSettlingJob,
  dealSettlingQueue,
  lockStartingDeals,
  scheduleAccountSettling,
  scheduleChangeNotices,
  schedulePairSettling,
  scheduleSaleSettling,
  scheduleSettling,
  storePublicTerms,
} from './settling-queue.ts';
export { startDeal } from './start-deal.ts';
export { limitTicketHold } from './ticket-holds.ts';
