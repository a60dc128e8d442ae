import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/**
 * Scrolls to the top when a new navigation changes `content`, for example the path (specification
 * §2). On Back and Forward, ScrollAndFocusRestoration restores the scroll position instead. The router scrolls
 * to URL fragments.
 */
export const useScrollToTop = (content: string): void => {
  const { hash } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const last = useRef(content);
  useLayoutEffect(() => {
    if (last.current === content) return;
    last.current = content;
    if (!hash && !isReturn) window.scrollTo(0, 0);
  }, [content, hash, isReturn]);
};
