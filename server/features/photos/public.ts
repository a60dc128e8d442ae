/** Public API of photos for other features and for the code that assembles the server. */
export { createFileRemovalScheduler, fileRemovalQueue, queueFileRemoval } from './removal.ts';
export { listPhotoFiles } from './repository.ts';
export { createPhotoService, type PhotoService } from './service.ts';
