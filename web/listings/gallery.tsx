import { type KeyboardEvent, type TouchEvent, useRef, useState } from 'react';
import type { Photo as StoredPhoto } from '#contract/photos.ts';
import { photoSources } from '#web/lib/photo-sources.ts';
import { lazyDialog } from '#web/ui/lazy-dialog.tsx';
import { Photo } from '#web/ui/photo.tsx';

const PhotoViewer = lazyDialog(async () => (await import('./photo-viewer.tsx')).PhotoViewer);

/** Minimum horizontal distance of a swipe, in pixels. */
const minSwipePx = 40;

export interface GalleryProps {
  photos: readonly StoredPhoto[];
  title: string;
}

/**
 * The main photo with the others below it. Choosing one, swiping, or the arrow keys swap it with the main photo, so that
 * no photo appears twice; pressing the main photo opens it full-screen.
 */
export function Gallery({ photos, title }: GalleryProps) {
  const [order, setOrder] = useState(() => photos.map((_, index) => index));
  const [viewing, setViewing] = useState(false);
  const touch = useRef<{ x: number; y: number }>(undefined);
  const [first = 0, ...others] = order;
  const main = photos[first];

  const show = (chosen: number) =>
    setOrder(order.map((index) => (index === first ? chosen : index === chosen ? first : index)));
  const step = (by: number) => show((first + by + photos.length) % photos.length);

  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') step(-1);
    if (key === 'ArrowRight') step(1);
  };
  // Two fingers zoom the page; the second may be outside the photo, so that only touchmove reports it.
  const onTouchMove = ({ touches }: TouchEvent) => {
    if (touches.length > 1) touch.current = undefined;
  };
  const onTouchEnd = ({ touches, changedTouches }: TouchEvent) => {
    const start = touch.current;
    touch.current = undefined;
    const end = changedTouches[0];
    if (!start || !end || touches.length > 0) return;
    const x = end.clientX - start.x;
    const y = end.clientY - start.y;
    if (Math.abs(x) > minSwipePx && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? 1 : -1);
  };

  return (
    <div className="space-y-3">
      <div
        className="relative touch-pan-y touch-pinch-zoom overflow-hidden rounded-xl border border-line"
        onTouchStart={({ touches }) => {
          const start = touches[0];
          touch.current = start && touches.length === 1 ? { x: start.clientX, y: start.clientY } : undefined;
        }}
        onTouchMove={onTouchMove}
        onTouchEnd={onTouchEnd}
      >
        <Photo
          key={main?.url}
          {...photoSources(main)}
          sizes="(min-width: 64rem) 46rem, (min-width: 48rem) 54vw, 100vw"
          alt={main ? photoLabel(title, first, photos.length) : `No photo of ${title}`}
          priority
          fit="contain"
        />
        {main && (
          <button
            type="button"
            aria-label="View photos full screen"
            className="absolute inset-0 size-full cursor-zoom-in rounded-xl -outline-offset-3"
            onClick={() => setViewing(true)}
            onKeyDown={onKeyDown}
          />
        )}
      </div>
      {others.length > 0 && (
        <ul aria-label="More photos" className="grid grid-cols-4 gap-2 sm:gap-3">
          {others.map((index, place) => (
            // The position keeps its element, and therefore the focus, when its photo changes.
            // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies the element
            <li key={place}>
              <button
                type="button"
                aria-label={`Show photo ${index + 1} of ${photos.length}`}
                onClick={() => show(index)}
                className="block w-full overflow-hidden rounded-lg border border-line transition-opacity hover:opacity-85"
              >
                <Photo
                  key={photos[index]?.url}
                  {...photoSources(photos[index])}
                  sizes="(min-width: 64rem) 11rem, 24vw"
                  alt=""
                />
              </button>
            </li>
          ))}
        </ul>
      )}
      {viewing && (
        <PhotoViewer
          photos={photos}
          title={title}
          start={first}
          onLeave={show}
          onClose={() => setViewing(false)}
        />
      )}
    </div>
  );
}

const photoLabel = (title: string, index: number, count: number): string =>
  count > 1 ? `${title}, photo ${index + 1} of ${count}` : title;
