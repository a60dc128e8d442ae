/** Public API of moderation for other features and commands. */
export { actionQueue } from './action-queue.ts';
export { type CaseRemoval, createCaseRemoval } from './case-removal.ts';
export { createCaseHandling, createModeration } from './moderation.ts';
export { listQuotedPhotoFiles } from './quote-repository.ts';
export { createQuotedPhotos, quotedPhotoQueue, quotedPhotoRemovalQueue } from './quotes.ts';
