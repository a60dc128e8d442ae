/** Public API of moderation for other features and commands. */
export { moderatorActionQueue } from './action-queue.ts';
export { type CaseRemoval, createCaseRemoval } from './case-removal.ts';
export { createCaseServices, createReportingServices } from './moderation.ts';
export type { PersonDecisions } from './person-decisions.ts';
export { listQuotedPhotoFiles, quotedPhotoFolder } from './quote-repository.ts';
export { createQuotedPhotoService, quotedPhotoCopyQueue, quotedPhotoRemovalQueue } from './quotes.ts';
export { createWaitingActions } from './waiting-actions.ts';
