/** Public API of deals for the rest of the server. */
export { createDealAdministrationService, type DealAdministrationService } from './administration.ts';
export { createDeadlineJob } from './deadline-job.ts';
export { createDrawJob } from './draw.ts';
export { createHandoverMailer } from './handover-mails.ts';
export {
  assertMayChangeListing,
  assertMayDeleteListing,
  assertNoUnconfirmedHandover,
  assertSaleNotInDeal,
} from './listing-rules.ts';
export { hasEverBeenClaimed } from './listing-rules-repository.ts';
export { createNoticeJob } from './notice-job.ts';
export { skipDueNotices } from './notice-repository.ts';
export { createDealNoticeSource } from './notice-source.ts';
export { createDealPushSource } from './push-source.ts';
export { createSaleRecorder } from './sale-recorder.ts';
export { createDealService } from './service.ts';
export { createDealSettling } from './settling.ts';
export {
  createDealSettlingScheduler,
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
