import type { Listing } from '#contract/listings.ts';
import { getPhotoSources } from '#web/lib/photo-sources.ts';
import { Photo } from '#web/ui/photo.tsx';
import { PhotoViewer } from '#web/ui/photo-viewer.tsx';
import { FavoriteHeart } from './favorite-heart.tsx';

export interface ListingPhotoViewerProps {
  listing: Pick<Listing, 'id' | 'title' | 'images'>;
  initialIndex: number;
  /** Called when the viewer closes, with the index of the last viewed photo. */
  onLeave: (lastIndex: number) => void;
  onClose: () => void;
}

/** Shows a listing's photos full screen. */
export function ListingPhotoViewer({ listing, initialIndex, onLeave, onClose }: ListingPhotoViewerProps) {
  const { images: photos, title } = listing;
  return (
    <PhotoViewer
      title={`Photos of ${title}`}
      photoIds={photos.map(({ url }) => url)}
      initialIndex={initialIndex}
      renderPhoto={(index) => (
        <Photo
          {...getPhotoSources(photos[index])}
          // The photo has no ThumbHash placeholder, because its blur would also fill the black area
          // around the photo.
          thumbhash={undefined}
          sizes="100vw"
          alt={`${title}, photo ${index + 1} of ${photos.length}`}
          priority={index === initialIndex}
          ratio="free"
          fit="contain"
          className="h-full bg-black!"
        />
      )}
      onClose={(lastIndex) => {
        onLeave(lastIndex);
        onClose();
      }}
    >
      <FavoriteHeart listing={listing} className="absolute! bottom-3 left-3" />
    </PhotoViewer>
  );
}
