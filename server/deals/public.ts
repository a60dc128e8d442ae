/** Public API of deals for the rest of the server. */
export { createDealAdministration, type DealAdministration } from './administration.ts';
export { createDeadlineJob } from './deadline-job.ts';
export { createDrawJob } from './draw.ts';
export { createHandoverMails } from './handover-mails.ts';
export { assertHasNoHold, assertMayChange, assertMayDelete, assertNotHandedOver } from './listing-rules.ts';
export { createNoticeJob } from './notice-job.ts';
export { skipDueNotices } from './notice-repository.ts';
export { createDealNoticeSource } from './notice-source.ts';
export { createDealPushSource } from './push-source.ts';
export { createSaleRecorder } from './recorded-sales.ts';
export { createDealService } from './service.ts';
export { createSettling } from './settling.ts';
export { createDealHooks, dealSettlingQueue, type Settling } from './settling-queue.ts';
