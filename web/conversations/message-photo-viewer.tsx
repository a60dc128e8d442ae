import { buildMessagePhotoPath, type MessagePhoto } from '#contract/conversations.ts';
import { useProtectedImage } from '#web/lib/use-protected-image.ts';
import { PhotoViewer } from '#web/ui/photo-viewer.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

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
  const small = useProtectedImage(buildMessagePhotoPath(conversationId, photo.id, 640));
  const large = useProtectedImage(buildMessagePhotoPath(conversationId, photo.id, 1600));
  const src = large ?? small;
  if (src === null)
    return <p className="grid size-full place-items-center">A photo that is no longer available</p>;
  if (src === undefined)
    return (
      <span className="grid size-full place-items-center">
        <Spinner label="Loading photo" />
      </span>
    );
  return (
    <img src={src} alt={alt} width={photo.width} height={photo.height} className="size-full object-contain" />
  );
}
