/** Public API of moderation for other features and commands. */
export { chooseAction, moderatorActionQueue, undoAction } from './actions.ts';
export { listDecisions, submitAppeal } from './appeals.ts';
export { removeCasesAbout, removeCasesResolvedBefore } from './case-removal.ts';
export { assignCase, getCase, listCases } from './cases.ts';
export {
  findRequestedChanges,
  recordListingDecision,
  recordListingReversal,
  wasDraftBeforeDecisions,
} from './listing-decisions.ts';
export { createOverviewCache } from './overview/overview-cache.ts';
export { liftSuspensionOf, suspendPerson } from './person-decisions.ts';
export { listQuotedPhotoFiles, quotedPhotoFolder } from './quote-repository.ts';
export {
  copyQuotedPhotos,
  type QuotedPhotoCopyJob,
  quotedPhotoCopyQueue,
  quotedPhotoRemovalQueue,
} from './quotes.ts';
export { submitReport } from './reports.ts';
export { openSignal } from './signals.ts';
export { endWaitingActions } from './waiting-actions.ts';
