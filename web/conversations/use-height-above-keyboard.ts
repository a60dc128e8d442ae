import { useEffect, useState } from 'react';

/** What covers less of the window than this many pixels is no keyboard. */
const minKeyboardHeightPx = 100;

/**
 * Returns the height in pixels of the part of the window above the on-screen keyboard, or undefined while it is closed. Safari
 * and Chrome make only the visual viewport smaller, not the window, and scroll to the field, so this hook scrolls back.
 */
export const useHeightAboveKeyboard = (enabled: boolean): number | undefined => {
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    const { visualViewport: view } = window;
    if (!enabled || !view) return;
    const look = () => {
      // Zooming makes the visual viewport smaller, too.
      const isOpen = view.scale <= 1 && window.innerHeight - view.height > minKeyboardHeightPx;
      setHeight(isOpen ? Math.round(view.height) : undefined);
      if (isOpen && (view.offsetTop > 0 || window.scrollY > 0)) window.scrollTo(0, 0);
    };
    look();
    view.addEventListener('resize', look);
    view.addEventListener('scroll', look);
    return () => {
      view.removeEventListener('resize', look);
      view.removeEventListener('scroll', look);
    };
  }, [enabled]);
  return enabled ? height : undefined;
};
