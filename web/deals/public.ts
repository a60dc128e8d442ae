/**
 * The public API of the deals feature for other features and the shell. Route modules may also
 * import the feature's components directly.
 */

export { AcceptOfferChip } from './accept-offer-chip.tsx';
export { toCampusInstant } from './campus-times.ts';
export { dealQueueQuery, fetchHasOpenDeals, rentalPhotosQuery } from './deal-cache.ts';
export { DealPanel } from './deal-panel.tsx';
export { DealQueueDialog } from './deal-queue-dialog.tsx';
export { EndDealsDialog, type EndDealsDialogProps } from './end-deals-dialog.tsx';
export { formatBriefHandoverTime } from './handover-times.ts';
export { HeldDeals, heldDealsQuery } from './held-deals.tsx';
export { NextHandover } from './next-handover.tsx';
export { describeEffectOnDeals, describeOpenDeals, findObstacleToAction } from './open-deals.ts';
export { refreshDeals } from './refresh-deals.ts';
export { findTakenDays } from './taken-hours.ts';
export { listDayNotes, TakenHours } from './taken-hours-list.tsx';
export { useHandovers } from './use-handovers.ts';
