export { copyPhotoFiles, insertPhotoCopies } from './copying.ts';
export { createHiddenPhotos } from './hidden-photos.ts';
export { imagePresetByBucket, toMessagePhotoId } from './object-names.ts';
export { listOwnedPhotos, openMessagePhoto, readOriginalPhoto } from './reading.ts';
export { fileRemovalQueue, queueFileRemoval } from './removal.ts';
export { listPhotoFiles } from './repository.ts';
export { buildMessagePhotoObjectPath } from './sql.ts';
export { defaultUploadTiming } from './upload-timing.ts';
