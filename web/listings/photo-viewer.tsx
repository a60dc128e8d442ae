import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useCallback, useRef, useState } from 'react';
import type { Listing } from '#contract/listings.ts';
import { getPhotoSources } from '#web/lib/photo-sources.ts';
import { FullScreenDialog } from '#web/ui/full-screen-dialog.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { FavoriteHeart } from './favorite-heart.tsx';

export interface PhotoViewerProps {
  listing: Pick<Listing, 'id' | 'title' | 'images'>;
  initialIndex: number;
  /** Called when the viewer closes, with the index of the last viewed photo. */
  onLeave: (lastIndex: number) => void;
  onClose: () => void;
}

/**
 * Shows a listing's photos full screen, one at a time. The person swipes, presses arrow keys or uses buttons
 * to see the others.
 */
export function PhotoViewer({ listing, initialIndex, onLeave, onClose }: PhotoViewerProps) {
  const { images: photos, title } = listing;
  const [index, setIndex] = useState(initialIndex);
  const track = useRef<HTMLUListElement>(null);
  const last = photos.length - 1;

  const scrollToInitialPhoto = useCallback(
    (node: HTMLUListElement | null) => {
      track.current = node;
      node?.scrollTo({ left: initialIndex * node.clientWidth, behavior: 'instant' });
    },
    [initialIndex],
  );

  const go = (to: number): void => {
    const node = track.current;
    if (!node || to < 0 || to > last) return;
    // Scroll instantly: during a smooth scroll, each photo in between would count as the current one.
    node.scrollTo({ left: to * node.clientWidth, behavior: 'instant' });
    setIndex(to);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    // Otherwise the focused list would also scroll.
    event.preventDefault();
    go(to);
  };

  return (
    <FullScreenDialog
      title={`Photos of ${title}`}
      aside={
        <span role="status" className="figures">
          {`Photo ${index + 1} of ${photos.length}`}
        </span>
      }
      onClose={() => {
        onLeave(index);
        onClose();
      }}
      onKeyDown={onKeyDown}
    >
      <ul
        ref={scrollToInitialPhoto}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          setIndex(Math.min(last, Math.round(scrollLeft / clientWidth)))
        }
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
        className="scroll-row -outline-offset-3 h-full snap-x snap-mandatory scroll-smooth"
      >
        {photos.map((photo, photoIndex) => (
          <li
            key={photo.url}
            aria-hidden={photoIndex !== index}
            className="h-full w-full shrink-0 snap-center"
          >
            <Photo
              {...getPhotoSources(photo)}
              // The photo has no ThumbHash placeholder, because its blur would also fill the black area
              // around the photo.
              thumbhash={undefined}
              sizes="100vw"
              alt={`${title}, photo ${photoIndex + 1} of ${photos.length}`}
              priority={photoIndex === initialIndex}
              ratio="free"
              fit="contain"
              className="h-full bg-black!"
            />
          </li>
        ))}
      </ul>
      <FavoriteHeart listing={listing} className="absolute! bottom-3 left-3" />
      {index > 0 && (
        <IconButton
          label="Previous photo"
          tone="solid"
          className="absolute! top-1/2 left-3 -translate-y-1/2"
          onClick={() => go(index - 1)}
        >
          <ChevronLeft aria-hidden="true" />
        </IconButton>
      )}
      {index < last && (
        <IconButton
          label="Next photo"
          tone="solid"
          className="absolute! top-1/2 right-3 -translate-y-1/2"
          onClick={() => go(index + 1)}
        >
          <ChevronRight aria-hidden="true" />
        </IconButton>
      )}
    </FullScreenDialog>
  );
}
