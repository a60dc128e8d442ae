import { type RefCallback, useCallback, useState } from 'react';

/**
 * Options for observing what comes near the window. `rootMargin` applies to the window, and `scrollMargin` to a list
 * inside its own scroll container.
 */
export const nearWindowOptions: IntersectionObserverInit & { scrollMargin: string } = {
  rootMargin: '800px',
  scrollMargin: '800px',
};

/** Returns a ref for an element, and whether the element has come near the window. */
export const useHasComeNear = (): [ref: RefCallback<Element>, hasComeNear: boolean] => {
  const [hasComeNear, setHasComeNear] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (!element) return;
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      setHasComeNear(true);
      watcher.disconnect();
    }, nearWindowOptions);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  return [ref, hasComeNear];
};
