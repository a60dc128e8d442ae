import { useState } from 'react';
import { errorCatalog } from '#contract/errors.ts';
import { partitionPhotoFiles } from '#web/lib/photo-files.ts';
import { prepareImage } from '#web/lib/photo-upload.ts';
import { getSessionSnapshot } from '#web/lib/session.ts';
import { saveFile } from '#web/lib/stored-files.ts';
import { createUuid } from '#web/lib/uuid.ts';
import { toast } from '#web/ui/toast.ts';
import { addDraftPhoto, getDraft } from './drafts.ts';
import type { OutgoingPhoto } from './outgoing-message.ts';

/** The size that is assumed of a photo that the browser cannot decode, but the server can. */
const unknownSize = { width: 4, height: 3 };

const measureImage = async (file: File): Promise<Pick<OutgoingPhoto, 'width' | 'height'>> => {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch {
    return unknownSize;
  }
};

const storePhoto = async (ownerId: string, picked: File): Promise<OutgoingPhoto> => {
  const file = await prepareImage(picked);
  const id = createUuid();
  const size = await measureImage(file);
  await saveFile(ownerId, id, file);
  return { id, ...size };
};

export interface AttachPhotos {
  add: (files: readonly File[]) => void;
  /** Number of photos that are being resized. */
  preparing: number;
}

export interface AttachPhotosOptions {
  /** Returns the number of photos that are there already. */
  countPresent: () => number;
  /** Called with each photo when it is resized and stored on the device. */
  onPhoto?: (photo: OutgoingPhoto) => void;
  /** Called with all photos that were picked together, when the last one is stored on the device. */
  onPhotos?: (photos: OutgoingPhoto[]) => void;
}

/** Checks and resizes picked photos, and stores them on the device. */
export const usePreparedPhotos = ({ countPresent, onPhoto, onPhotos }: AttachPhotosOptions): AttachPhotos => {
  const [preparing, setPreparing] = useState(0);
  const add = async (files: readonly File[]): Promise<void> => {
    const { user } = getSessionSnapshot();
    if (!user) return;
    const { taken, refusals } = partitionPhotoFiles(files, countPresent() + preparing);
    // Several files may be refused for the same reason.
    for (const { title, text } of refusals) toast.error(title, text, undefined, `photo refusal: ${text}`);
    setPreparing((before) => before + taken.length);
    const photos: OutgoingPhoto[] = [];
    for (const file of taken) {
      try {
        const photo = await storePhoto(user.id, file);
        photos.push(photo);
        onPhoto?.(photo);
      } catch {
        toast.error('Invalid file', errorCatalog.photo_unreadable.sentence);
      }
      setPreparing((before) => before - 1);
    }
    if (photos.length > 0) onPhotos?.(photos);
  };
  return { add: (files) => void add(files), preparing };
};

/** Adds picked photos to the draft of a conversation. */
export const useAttachPhotos = (conversationId: string): AttachPhotos =>
  usePreparedPhotos({
    countPresent: () => getDraft(conversationId).photos?.length ?? 0,
    onPhoto: (photo) => addDraftPhoto(conversationId, photo),
  });
