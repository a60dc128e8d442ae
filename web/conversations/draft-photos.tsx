import { X } from 'lucide-react';
import { getSessionSnapshot } from '#web/lib/session.ts';
import { removeFiles } from '#web/lib/stored-files.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { removeDraftPhoto } from './drafts.ts';
import { OutgoingPhotoFrame } from './message-photos.tsx';
import type { OutgoingPhoto } from './outgoing-message.ts';

export interface DraftPhotosProps {
  conversationId: string;
  photos: readonly OutgoingPhoto[];
  /** Number of photos that are being resized. */
  preparing: number;
}

/** The photos that were added to a message, in a row above its text. */
export function DraftPhotos({ conversationId, photos, preparing }: DraftPhotosProps) {
  if (photos.length + preparing === 0) return null;
  const remove = (id: string): void => {
    removeDraftPhoto(conversationId, id);
    const { user } = getSessionSnapshot();
    if (user) void removeFiles(user.id, [id]);
  };
  return (
    <ul aria-label="Photos of your message" className="scroll-row flex gap-2 px-3 pt-3 md:px-5">
      {photos.map(({ id }, index) => (
        <li key={id} className="relative size-20 shrink-0 overflow-hidden rounded-md border border-line">
          <OutgoingPhotoFrame id={id} alt={`Photo ${index + 1} of ${photos.length}`} />
          <IconButton
            label={`Remove photo ${index + 1}`}
            className="absolute! top-0 right-0"
            onClick={() => remove(id)}
          >
            <span className="grid size-7 place-items-center rounded-full bg-black/65 text-white">
              <X aria-hidden="true" className="size-4!" />
            </span>
          </IconButton>
        </li>
      ))}
      {Array.from({ length: preparing }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: these frames are all the same
        <li key={index} className="grid size-20 shrink-0 place-items-center rounded-md border border-line">
          <Spinner label="Preparing photo" />
        </li>
      ))}
    </ul>
  );
}
