import { type KeyboardEvent, type UIEvent, useRef, useState } from 'react';
import type { Listing } from '#contract/listings.ts';
import { getPhotoSources } from '#web/lib/photo-sources.ts';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { Photo } from '#web/ui/photo.tsx';

const ListingPhotoViewer = lazyDialog(async () => (await import('./photo-viewer.tsx')).ListingPhotoViewer);

export interface GalleryProps {
  listing: Pick<Listing, 'id' | 'title' | 'images'>;
}

/**
 * The photos of a listing, in a row that scrolls by swipe or arrow key and snaps to one photo.
 * Pressing the photo opens it full screen. On wide screens and for mouse users, the other photos
 * are listed below as thumbnails. Choosing a thumbnail swaps it with the photo in the row, so that
 * no photo appears twice.
 */
export function Gallery({ listing }: GalleryProps) {
  const { images: photos, title } = listing;
  const [order, setOrder] = useState(() => photos.map((_, index) => index));
  const [viewing, setViewing] = useState(false);
  const row = useRef<HTMLDivElement>(null);
  const [current = 0, ...others] = order;

  const scrollToPhoto = (index: number) =>
    row.current?.scrollTo({ left: index * row.current.clientWidth, behavior: 'instant' });

  // Derive the current photo from the scroll position, because swipes, arrow keys and thumbnails
  // all change that position.
  const onScroll = ({ currentTarget }: UIEvent) => {
    const shown = getShownPhotoIndex(currentTarget);
    if (shown !== current)
      setOrder(order.map((index) => (index === current ? shown : index === shown ? current : index)));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || !row.current) return;
    event.preventDefault();
    scrollToPhoto((getShownPhotoIndex(row.current) + step + photos.length) % photos.length);
  };

  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="@container overflow-hidden border-line max-md:-mx-(--page-gutter) max-md:border-y md:rounded-xl md:border">
        <div ref={row} onScroll={onScroll} className="scroll-row snap-x snap-mandatory">
          <div className="flex shrink-0">
            {photos.length > 0 && (
              // This button covers the visible photo. It is inside the scrolling row, so that a
              // swipe on the button scrolls the row.
              <button
                type="button"
                aria-label="View photos full screen"
                className="sticky left-0 z-1 -mr-[100cqi] w-[100cqi] shrink-0 cursor-zoom-in -outline-offset-3 md:rounded-xl"
                onClick={() => setViewing(true)}
                onKeyDown={onKeyDown}
              />
            )}
            <ul aria-label="Photos" className="flex">
              {(photos.length > 0 ? photos : [undefined]).map((photo, index) => (
                <li
                  key={photo?.url ?? title}
                  className="relative w-[100cqi] shrink-0 snap-center snap-always"
                >
                  <Photo
                    {...getPhotoSources(photo)}
                    sizes="(min-width: 64rem) 46rem, (min-width: 48rem) 54vw, 100vw"
                    alt={photo ? getPhotoAltText(title, index, photos.length) : `No photo of ${title}`}
                    priority={index === 0}
                    fit="contain"
                    className="max-md:max-h-[70svh] max-md:w-full"
                  />
                  {photos.length > 1 && (
                    <span
                      aria-hidden="true"
                      className="figures absolute right-3 bottom-3 rounded-full bg-black/65 px-2.5 py-1 font-semibold text-white text-xs"
                    >
                      {`${index + 1} / ${photos.length}`}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </div>
        </div>
      </div>
      {others.length > 0 && (
        <ul aria-label="More photos" className="hidden grid-cols-4 gap-3 pointer-fine:grid md:grid">
          {others.map((index, position) => (
            // The position is the key, so that a thumbnail button keeps the focus when its photo
            // changes.
            // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies the element
            <li key={position}>
              <button
                type="button"
                aria-label={`Show photo ${index + 1} of ${photos.length}`}
                onClick={() => scrollToPhoto(index)}
                className="block w-full overflow-hidden rounded-lg border border-line transition-opacity hover:opacity-85"
              >
                <Photo
                  key={photos[index]?.url}
                  {...getPhotoSources(photos[index])}
                  sizes="(min-width: 64rem) 11rem, 24vw"
                  alt=""
                />
              </button>
            </li>
          ))}
        </ul>
      )}
      {viewing && (
        <ListingPhotoViewer
          listing={listing}
          initialIndex={current}
          onLeave={scrollToPhoto}
          onClose={() => setViewing(false)}
        />
      )}
    </div>
  );
}

const getShownPhotoIndex = ({ scrollLeft, clientWidth }: Element): number =>
  Math.round(scrollLeft / clientWidth);

const getPhotoAltText = (title: string, index: number, count: number): string =>
  count > 1 ? `${title}, photo ${index + 1} of ${count}` : title;
