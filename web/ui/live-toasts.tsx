import { clsx } from 'clsx';
import { useEffect, useEffectEvent, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Toaster as SonnerToaster, toast as sonner } from 'sonner';
import type { ToastRequest } from './toast.ts';
import { fixedAt, useFreePlace } from './use-free-place.ts';

/** How many are seen at once. */
const most = 2;
/** Between two of them, in pixels. */
const gap = 10;

/**
 * Shows each request once, in a polite live region, where it covers no control. It stands beside the page and not
 * within it, since a page behind a dialog is inert.
 */
export function LiveToasts({ requests }: { requests: readonly ToastRequest[] }) {
  const shown = useRef(0);
  const open = useRef<(string | number)[]>([]);
  const region = useRef<HTMLElement>(null);

  /** Dismisses all but the newest; returns whether there were more. */
  const keepNewest = useEffectEvent((count: number): boolean => {
    const old = open.current.splice(0, Math.max(0, open.current.length - count));
    for (const id of old) sonner.dismiss(id);
    return old.length > 0;
  });

  useEffect(() => {
    for (const { kind, title, description } of requests.slice(shown.current)) {
      open.current.push(sonner[kind](title, description ? { description } : {}));
      keepNewest(most);
    }
    shown.current = requests.length;
  }, [requests]);

  const { place, moving } = useFreePlace(
    region,
    () => {
      const toasts = [
        ...(region.current?.querySelectorAll<HTMLElement>(
          '[data-sonner-toast]:not([data-removed="true"]):not([data-swipe-out="true"])',
        ) ?? []),
      ];
      const [first] = toasts;
      if (!first) return undefined;
      const heights = toasts.reduce((sum, { offsetHeight }) => sum + offsetHeight + gap, -gap);
      return { width: first.offsetWidth, height: heights };
      // Where there is room for one only, it is the newest.
    },
    () => keepNewest(1),
  );

  return createPortal(
    <SonnerToaster
      ref={region}
      position="bottom-center"
      closeButton
      expand
      visibleToasts={most}
      duration={5000}
      gap={gap}
      style={fixedAt(place)}
      swipeDirections={['left', 'right', 'bottom']}
      className={clsx('transition-opacity! duration-150', (moving || !place) && 'invisible opacity-0')}
      toastOptions={{
        unstyled: true,
        classNames: {
          // Behind a dialog the page takes no taps: a toast above it must say that it does. It does not slide in, since
          // on its way it would pass over controls.
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
