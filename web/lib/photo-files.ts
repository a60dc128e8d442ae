import {
  formatPhotoTooLargeMessage,
  maxPhotoBytes,
  maxPhotosPerListing,
  photoErrorMessages,
  photoMimeTypes,
} from '#contract/photos.ts';

export interface FileRefusal {
  title: string;
  text: string;
}

/**
 * Splits picked files into accepted files and messages for the refused ones (specification §5, Photo
 * files). A listing or a message has `present` photos already.
 */
export const partitionPhotoFiles = (
  files: readonly File[],
  present: number,
): { taken: File[]; refusals: FileRefusal[] } => {
  const refusals: FileRefusal[] = [];
  const fit = files.filter((file) => {
    const text = !(photoMimeTypes as readonly string[]).includes(file.type)
      ? photoErrorMessages.type
      : file.size > maxPhotoBytes
        ? formatPhotoTooLargeMessage(file.size)
        : undefined;
    if (text) refusals.push({ title: 'Invalid file', text });
    return !text;
  });
  const room = Math.max(0, maxPhotosPerListing - present);
  if (fit.length > room) refusals.push({ title: 'Too many photos', text: photoErrorMessages.tooMany });
  return { taken: fit.slice(0, room), refusals };
};
