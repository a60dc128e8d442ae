import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * §2: on every path change the view scrolls to the top; a link to a place in a page leads there instead.
 * @param place what is looked at: another one is another arrival
 */
export const useScrollToTop = (place: string): void => {
  const { hash } = useLocation();
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    if (!hash) window.scrollTo(0, 0);
  }, [place, hash]);
};
