import { useEffect } from 'react';

/** The attributes of the element that contains the whole page. Dialogs and toasts are rendered outside of it. */
export const pageRootAttributes = { 'data-page': '' };

let openDialogCount = 0;

const changeOpenDialogCount = (change: 1 | -1): void => {
  openDialogCount += change;
  document.querySelector('[data-page]')?.toggleAttribute('inert', openDialogCount > 0);
};

/**
 * Makes the page inert while it is mounted, so that taps, focus and screen readers cannot reach it. Render it inside
 * every dialog that covers the page.
 */
export function InertPage() {
  useEffect(() => {
    // Wait for one frame, because the dialog first remembers the element that opened it and takes the
    // focus.
    let isCounted = false;
    const frame = requestAnimationFrame(() => {
      isCounted = true;
      changeOpenDialogCount(1);
    });
    return () => {
      cancelAnimationFrame(frame);
      if (isCounted) changeOpenDialogCount(-1);
    };
  }, []);
  return null;
}

/** Returns whether an event happened on a toast. Such an event must not close a dialog. */
export const isEventOnToast = (event: { target: EventTarget | null }): boolean =>
  event.target instanceof Element && event.target.closest('[data-sonner-toaster]') !== null;
