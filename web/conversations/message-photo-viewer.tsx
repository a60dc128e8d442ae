import { buildMessagePhotoPath, type MessagePhoto } from '#contract/conversations.ts';
import { useProtectedImage } from '#web/lib/use-protected-image.ts';
import { PhotoViewer } from '#web/ui/photo-viewer.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useHasComeNear } from '#web/ui/use-has-come-near.ts';

export interface MessagePhotoViewerProps {
  photos: readonly MessagePhoto[];
  conversationId: string;
  /** Returns the alternative text of a photo. */
  toAlt: (index: number) => string;
  initialIndex: number;
  onClose: () => void;
}

/** Shows the photos of a message full screen. */
export function MessagePhotoViewer({
  photos,
  conversationId,
  toAlt,
  initialIndex,
  onClose,
}: MessagePhotoViewerProps) {
  return (
    <PhotoViewer
      title={toAlt(initialIndex)}
      photoIds={photos.map(({ id }) => id)}
      initialIndex={initialIndex}
      renderPhoto={(index) =>
        photos[index] && (
          <LargePhoto photo={photos[index]} conversationId={conversationId} alt={toAlt(index)} />
        )
      }
      onClose={onClose}
    />
  );
}

interface LargePhotoProps {
  photo: MessagePhoto;
  conversationId: string;
  alt: string;
}

/** A photo in full size; until it has loaded, in the size of the thread. */
function LargePhoto({ photo, conversationId, alt }: LargePhotoProps) {
  const [ref, isNear] = useHasComeNear();
  const small = useProtectedImage(buildMessagePhotoPath(conversationId, photo.id, 640), isNear);
  const large = useProtectedImage(buildMessagePhotoPath(conversationId, photo.id, 1600), isNear);
  const src = large ?? small;
  return (
    <span ref={ref} className="block size-full">
      {src ? (
        <img
          src={src}
          alt={alt}
          width={photo.width}
          height={photo.height}
          className="size-full object-contain"
        />
      ) : (
        <span className="grid size-full place-items-center">
          {src === null ? 'A photo that is no longer available' : <Spinner label="Loading photo" />}
        </span>
      )}
    </span>
  );
}
