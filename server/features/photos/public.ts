/** Public API of photos for other features and for the code that assembles the server. */
import type { StorageBucket } from '#contract/photos.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

export { createHiddenPhotos } from './hidden-photos.ts';
export { listOwnedPhotos, readOriginalPhoto } from './reading.ts';
export { createFileRemovalScheduler, fileRemovalQueue, queueFileRemoval } from './removal.ts';
export { listPhotoFiles } from './repository.ts';
export { defaultUploadTiming } from './upload-timing.ts';

// Legacy: remove with the last factory that takes it.
export interface PhotoService {
  listOwned(
    userId: string,
    bucket: StorageBucket,
    urls: readonly string[],
    within?: Queryable,
  ): Promise<string[]>;
}
