import { clsx } from 'clsx';
import { useEffect, useEffectEvent, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Toaster as SonnerToaster, toast as sonner } from 'sonner';
import type { ToastRequest } from './toast.ts';
import { fixedPositionStyle, useFreePosition } from './use-free-position.ts';

/** Maximum number of toasts visible at the same time. */
const maxVisibleToasts = 2;
/** Distance between two toasts in pixels. */
const gapPixels = 10;

/**
 * Shows each request once, in a polite live region, where it covers no control. The region is rendered outside the page
 * element, because the page is inert behind a dialog.
 */
export function LiveToasts({ requests }: { requests: readonly ToastRequest[] }) {
  const shownCount = useRef(0);
  const openToastIds = useRef<(string | number)[]>([]);
  const region = useRef<HTMLElement>(null);

  /** Dismisses all but the newest `count` toasts. Returns whether there were more. */
  const dismissAllButNewest = useEffectEvent((count: number): boolean => {
    const dismissedIds = openToastIds.current.splice(0, Math.max(0, openToastIds.current.length - count));
    for (const id of dismissedIds) sonner.dismiss(id);
    return dismissedIds.length > 0;
  });

  useEffect(() => {
    for (const { kind, title, description } of requests.slice(shownCount.current)) {
      openToastIds.current.push(sonner[kind](title, description ? { description } : {}));
      dismissAllButNewest(maxVisibleToasts);
    }
    shownCount.current = requests.length;
  }, [requests]);

  const { position, isScrolling } = useFreePosition(
    region,
    () => {
      const toasts = [
        ...(region.current?.querySelectorAll<HTMLElement>(
          '[data-sonner-toast]:not([data-removed="true"]):not([data-swipe-out="true"])',
        ) ?? []),
      ];
      const [first] = toasts;
      if (!first) return undefined;
      const totalHeight = toasts.reduce(
        (sum, { offsetHeight }) => sum + offsetHeight + gapPixels,
        -gapPixels,
      );
      return { width: first.offsetWidth, height: totalHeight };
      // If there is not enough room for all toasts, only the newest is kept (the next argument).
    },
    () => dismissAllButNewest(1),
  );

  return createPortal(
    <SonnerToaster
      ref={region}
      position="bottom-center"
      closeButton
      expand
      visibleToasts={maxVisibleToasts}
      duration={5000}
      gap={gapPixels}
      style={fixedPositionStyle(position)}
      swipeDirections={['left', 'right', 'bottom']}
      className={clsx(
        'transition-opacity! duration-150',
        (isScrolling || !position) && 'invisible opacity-0',
      )}
      toastOptions={{
        unstyled: true,
        classNames: {
          // Dialogs disable pointer events on the body, so toasts enable them again. Toasts fade instead of sliding in,
          // because a sliding toast would cover controls on its way.
          toast:
            'pointer-events-auto! flex w-full items-start gap-3 rounded-lg border border-line bg-raised px-4 py-3.5 pr-11 font-sans text-ink text-sm shadow-lg transition-opacity! data-[removed=true]:hidden!',
          title: 'font-bold',
          description: 'text-ink-muted',
          icon: 'mt-0.5 [&_svg]:size-5',
          success: '[&_[data-icon]]:text-lawn-text',
          error: '[&_[data-icon]]:text-danger',
          closeButton:
            'absolute top-1 right-1 grid size-11 place-items-center rounded-full text-ink-muted hover:text-ink',
        },
      }}
    />,
    document.body,
  );
}
