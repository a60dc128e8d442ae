import { useEffect } from 'react';

/** What the frame of the site marks as the page, beside which dialogs and toasts stand. */
export const pageAttributes = { 'data-page': '' };

let openCoverCount = 0;

const changeCoverCount = (change: 1 | -1): void => {
  openCoverCount += change;
  document.querySelector('[data-page]')?.toggleAttribute('inert', openCoverCount > 0);
};

/**
 * Place inside whatever covers the page: as long as it is mounted, nothing below takes a tap, the focus or a screen
 * reader's cursor.
 */
export function InertPage() {
  useEffect(() => {
    // A frame later, when the dialog has noted what to focus again and taken the focus itself.
    let isCounted = false;
    const frame = requestAnimationFrame(() => {
      isCounted = true;
      changeCoverCount(1);
    });
    return () => {
      cancelAnimationFrame(frame);
      if (isCounted) changeCoverCount(-1);
    };
  }, []);
  return null;
}

/** Whether an event outside a dialog happened on a toast: it must not close the dialog. */
export const isOnToast = (event: { target: EventTarget | null }): boolean =>
  event.target instanceof Element && event.target.closest('[data-sonner-toaster]') !== null;
