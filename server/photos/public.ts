/** What other folders may use of photos. */
export { createFileRemoval, removalQueue } from './removal.ts';
export { listPhotoFiles } from './repository.ts';
export { createPhotoService, type PhotoService } from './service.ts';
