import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import { FullScreenDialog } from './full-screen-dialog.tsx';
import { IconButton } from './icon-button.tsx';

export interface PhotoViewerProps {
  title: string;
  /** The ids of the photos. */
  photoIds: readonly string[];
  initialIndex: number;
  /** Renders a photo, which fills its frame without being cropped. */
  renderPhoto: (index: number) => ReactNode;
  /** Called when the viewer closes, with the index of the last viewed photo. */
  onClose: (lastIndex: number) => void;
  /** Controls on top of the photos. */
  children?: ReactNode;
}

/**
 * Shows photos full screen, one at a time. The person swipes, presses arrow keys or uses buttons to see the others, and
 * enlarges one with a double tap or a button.
 */
export function PhotoViewer({
  title,
  photoIds,
  initialIndex,
  renderPhoto,
  onClose,
  children,
}: PhotoViewerProps) {
  const [index, setIndex] = useState(initialIndex);
  const [isEnlarged, setIsEnlarged] = useState(false);
  const track = useRef<HTMLUListElement>(null);
  const last = photoIds.length - 1;

  const scrollToInitialPhoto = useCallback(
    (node: HTMLUListElement | null) => {
      track.current = node;
      node?.scrollTo({ left: initialIndex * node.clientWidth, behavior: 'instant' });
    },
    [initialIndex],
  );

  const show = (to: number): void => {
    if (to !== index) setIsEnlarged(false);
    setIndex(to);
  };

  const go = (to: number): void => {
    const node = track.current;
    if (!node || to < 0 || to > last) return;
    // Scroll instantly: during a smooth scroll, each photo in between would count as the current one.
    node.scrollTo({ left: to * node.clientWidth, behavior: 'instant' });
    show(to);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (to === undefined || isEnlarged) return;
    // Otherwise the focused list would also scroll.
    event.preventDefault();
    go(to);
  };

  return (
    <FullScreenDialog
      title={title}
      aside={
        <span role="status" className="figures">
          {`Photo ${index + 1} of ${photoIds.length}`}
        </span>
      }
      onClose={() => onClose(index)}
      onKeyDown={onKeyDown}
    >
      <ul
        ref={scrollToInitialPhoto}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
          show(Math.min(last, Math.round(scrollLeft / clientWidth)))
        }
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
        tabIndex={0}
        className={clsx(
          'scroll-row -outline-offset-3 h-full snap-x snap-mandatory scroll-smooth',
          isEnlarged && 'overflow-x-hidden!',
        )}
      >
        {photoIds.map((id, photoIndex) => (
          <li
            key={id}
            aria-hidden={photoIndex !== index}
            onDoubleClick={() => setIsEnlarged(!isEnlarged)}
            className="h-full w-full shrink-0 touch-manipulation snap-center overflow-auto"
          >
            <EnlargedWhen isEnlarged={isEnlarged && photoIndex === index}>
              {renderPhoto(photoIndex)}
            </EnlargedWhen>
          </li>
        ))}
      </ul>
      {children}
      <IconButton
        label={isEnlarged ? 'Zoom out' : 'Zoom in'}
        tone="solid"
        className="absolute! right-3 bottom-3"
        onClick={() => setIsEnlarged(!isEnlarged)}
      >
        {isEnlarged ? <ZoomOut aria-hidden="true" /> : <ZoomIn aria-hidden="true" />}
      </IconButton>
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

interface EnlargedWhenProps {
  isEnlarged: boolean;
  children: ReactNode;
}

/** Shows a photo in its frame, or two and a half times as large around its middle; the frame then scrolls. */
function EnlargedWhen({ isEnlarged, children }: EnlargedWhenProps) {
  const scrollToMiddle = useCallback(
    (node: HTMLDivElement | null) => {
      const frame = isEnlarged ? node?.parentElement : undefined;
      frame?.scrollTo({
        left: (frame.scrollWidth - frame.clientWidth) / 2,
        top: (frame.scrollHeight - frame.clientHeight) / 2,
        behavior: 'instant',
      });
    },
    [isEnlarged],
  );
  return (
    <div ref={scrollToMiddle} className={isEnlarged ? 'h-[250%] w-[250%]' : 'size-full'}>
      {children}
    </div>
  );
}
