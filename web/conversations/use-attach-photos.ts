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

const attachPhoto = async (conversationId: string, ownerId: string, picked: File): Promise<void> => {
  const file = await prepareImage(picked);
  const id = createUuid();
  const size = await measureImage(file);
  await saveFile(ownerId, id, file);
  addDraftPhoto(conversationId, { id, ...size });
};

export interface AttachPhotos {
  add: (files: readonly File[]) => void;
  /** Number of photos that are being resized. */
  preparing: number;
}

/** Checks and resizes picked photos, and adds them to the draft of a conversation. */
export const useAttachPhotos = (conversationId: string): AttachPhotos => {
  const [preparing, setPreparing] = useState(0);
  const add = async (files: readonly File[]): Promise<void> => {
    const { user } = getSessionSnapshot();
    if (!user) return;
    const present = (getDraft(conversationId).photos?.length ?? 0) + preparing;
    const { taken, refusals } = partitionPhotoFiles(files, present);
    // Several files may be refused for the same reason.
    for (const { title, text } of refusals) toast.error(title, text, undefined, `photo refusal: ${text}`);
    setPreparing((before) => before + taken.length);
    for (const file of taken) {
      await attachPhoto(conversationId, user.id, file).catch(() =>
        toast.error('Invalid file', errorCatalog.photo_unreadable.sentence),
      );
      setPreparing((before) => before - 1);
    }
  };
  return { add: (files) => void add(files), preparing };
};
