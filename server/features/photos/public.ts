/** Public API of photos for other features and for the code that assembles the server. */
export { createFileRemovalScheduler, fileRemovalQueue } from './removal.ts';
export { listPhotoFiles } from './repository.ts';
export { createPhotoService, type PhotoService } from './service.ts';
