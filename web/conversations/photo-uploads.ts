import { useSyncExternalStore } from 'react';
import { buildMessagePhotoPath, type Message } from '#contract/conversations.ts';
import { createProblemError } from '#web/lib/api-error.ts';
import { createListeners } from '#web/lib/listeners.ts';
import { uploadMessagePhoto } from '#web/lib/photo-upload.ts';
import { getSessionSnapshot } from '#web/lib/session.ts';
import { findFile, removeFiles } from '#web/lib/stored-files.ts';
import { cacheProtectedImage } from '#web/lib/use-protected-image.ts';
import { moveMessageToDraft, setOutgoingPhotos } from './outbox.ts';
import type { OutgoingMessage } from './outgoing-message.ts';

/** The messages whose photos are being uploaded, by client id. */
const uploads = new Map<string, { control: AbortController; percent: number }>();
const { subscribe, notify } = createListeners();

const findOwnFile = async (id: string): Promise<File | undefined> => {
  const { user } = getSessionSnapshot();
  return user ? findFile(user.id, id) : undefined;
};

/**
 * Uploads those photos of a queued message that are not on the server yet, one after the other, and returns the ids of all.
 * Rejects with an ApiError, or when the author cancels the message.
 */
export const uploadPhotos = async ({ client_id, photos = [] }: OutgoingMessage): Promise<string[]> => {
  const upload = { control: new AbortController(), percent: 0 };
  const setPercent = (percent: number): void => {
    upload.percent = percent;
    notify();
  };
  uploads.set(client_id, upload);
  const done = [...photos];
  try {
    for (const [index, photo] of photos.entries()) {
      if (photo.uploaded_id) continue;
      const file = await findOwnFile(photo.id);
      if (!file) throw createProblemError('message_photo_gone');
      const uploaded_id = await uploadMessagePhoto({
        file,
        onProgress: (percent) => setPercent(((index + percent / 100) / photos.length) * 100),
        signal: upload.control.signal,
      });
      done[index] = { ...photo, uploaded_id };
      setOutgoingPhotos(client_id, done);
    }
  } finally {
    uploads.delete(client_id);
    notify();
  }
  return done.flatMap(({ uploaded_id }) => uploaded_id ?? []);
};

/** Stops the upload of the photos of a message and moves it back into the draft. */
export const cancelPhotoMessage = (clientId: string): void => {
  moveMessageToDraft(clientId);
  uploads.get(clientId)?.control.abort(new Error('The message was canceled.'));
};

/** Displays the stored photos of a message from the files that were sent, and removes these from the device. */
export const releaseSentPhotos = async (
  { photos: sent = [] }: OutgoingMessage,
  { conversation_id: conversationId, photos: stored = [] }: Message,
): Promise<void> => {
  for (const [index, { id }] of stored.entries()) {
    const file = sent[index] && (await findOwnFile(sent[index].id));
    if (file)
      for (const size of [640, 1600] as const)
        cacheProtectedImage(buildMessagePhotoPath(conversationId, id, size), file);
  }
  const { user } = getSessionSnapshot();
  const ids = sent.map(({ id }) => id);
  if (user) await removeFiles(user.id, ids);
};

/** Returns how much of the photos of a message is uploaded, in percent, or undefined when none is being uploaded. */
export const usePhotoUploadPercent = (clientId: string): number | undefined =>
  useSyncExternalStore(
    subscribe,
    () => uploads.get(clientId)?.percent,
    () => undefined,
  );
