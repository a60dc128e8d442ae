export { copyPhotoFiles, insertPhotoCopies } from './copying.ts';
export { createHiddenPhotos } from './hidden-photos.ts';
export { listOwnedPhotos, readOriginalPhoto } from './reading.ts';
export { fileRemovalQueue, queueFileRemoval } from './removal.ts';
export { listPhotoFiles } from './repository.ts';
export { defaultUploadTiming } from './upload-timing.ts';
