import { clsx } from 'clsx';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { buildMessagePhotoPath, type MessagePhoto } from '#contract/conversations.ts';
import { useProtectedImage } from '#web/lib/use-protected-image.ts';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { useHasComeNear } from '#web/ui/use-has-come-near.ts';
import type { MessagePhotoViewerProps } from './message-photo-viewer.tsx';
import type { OutgoingPhoto } from './outgoing-message.ts';
import { PhotoFrame } from './photo-frame.tsx';
import { useStoredFile } from './use-stored-file.ts';

const MessagePhotoViewer = lazyDialog(
  async () => (await import('./message-photo-viewer.tsx')).MessagePhotoViewer,
);

/** The narrowest and the widest shape, width by height, in which a single photo is not cropped. */
const shapeLimits = { narrowest: 3 / 4, widest: 16 / 9 };

/** Returns the shape of a photo's frame: its own when it is alone, otherwise a square; the first of an odd number is wide. */
const getFrameStyle = (
  { width, height }: Pick<MessagePhoto, 'width' | 'height'>,
  { index, count }: { index: number; count: number },
): CSSProperties => {
  if (count > 1) return { aspectRatio: count % 2 === 1 && index === 0 ? 2 : 1 };
  return { aspectRatio: Math.max(shapeLimits.narrowest, Math.min(shapeLimits.widest, width / height)) };
};

interface PhotoGridProps<OnePhoto> {
  photos: readonly OnePhoto[];
  children: (photo: OnePhoto, index: number) => ReactNode;
}

function PhotoGrid<OnePhoto extends Pick<MessagePhoto, 'id' | 'width' | 'height'>>({
  photos,
  children,
}: PhotoGridProps<OnePhoto>) {
  const count = photos.length;
  return (
    <ul className={clsx('grid w-60 max-w-full gap-1', count > 1 && 'grid-cols-2')}>
      {photos.map((photo, index) => (
        <li
          key={photo.id}
          style={getFrameStyle(photo, { index, count })}
          className={clsx(
            'overflow-hidden rounded-md',
            count % 2 === 1 && index === 0 && count > 1 && 'col-span-2',
          )}
        >
          {children(photo, index)}
        </li>
      ))}
    </ul>
  );
}

export type MessagePhotosProps = Omit<MessagePhotoViewerProps, 'initialIndex' | 'onClose'>;

/** The photos of a stored message. Pressing one opens it full screen. */
export function MessagePhotos({ photos, conversationId, toAlt }: MessagePhotosProps) {
  const [openIndex, setOpenIndex] = useState<number>();
  return (
    <>
      <PhotoGrid photos={photos}>
        {(photo, index) => (
          <button
            type="button"
            className="block size-full cursor-zoom-in -outline-offset-3"
            onClick={() => setOpenIndex(index)}
          >
            <StoredPhoto photo={photo} conversationId={conversationId} alt={toAlt(index)} />
          </button>
        )}
      </PhotoGrid>
      {openIndex !== undefined && (
        <MessagePhotoViewer
          photos={photos}
          conversationId={conversationId}
          toAlt={toAlt}
          initialIndex={openIndex}
          onClose={() => setOpenIndex(undefined)}
        />
      )}
    </>
  );
}

interface StoredPhotoProps {
  photo: Pick<MessagePhoto, 'id'> & Partial<Pick<MessagePhoto, 'thumbhash'>>;
  conversationId: string;
  alt: string;
}

/** A photo of a stored message, which is loaded when it comes near the visible part of the page. */
export function StoredPhoto({ photo, conversationId, alt }: StoredPhotoProps) {
  const [ref, isNear] = useHasComeNear();
  const src = useProtectedImage(buildMessagePhotoPath(conversationId, photo.id, 640), isNear);
  return <PhotoFrame ref={ref} src={src} thumbhash={photo.thumbhash} alt={alt} />;
}

/** The photos of a message that is not stored yet. */
export function OutgoingPhotos({
  photos,
  toAlt,
}: { photos: readonly OutgoingPhoto[] } & Pick<MessagePhotosProps, 'toAlt'>) {
  return (
    <PhotoGrid photos={photos}>
      {(photo, index) => <OutgoingPhotoFrame id={photo.id} alt={toAlt(index)} />}
    </PhotoGrid>
  );
}

/** A photo that is a file on this device. */
export function OutgoingPhotoFrame({ id, alt }: { id: string; alt: string }) {
  return <PhotoFrame src={useStoredFile(id)} alt={alt} />;
}
