import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * Scrolls to the top when `content` changes, such as the path (specification §2). A link with a fragment scrolls to that
 * element instead.
 */
export const useScrollToTop = (content: string): void => {
  const { hash } = useLocation();
  const last = useRef(content);
  useEffect(() => {
    if (last.current === content) return;
    last.current = content;
    if (!hash) window.scrollTo(0, 0);
  }, [content, hash]);
};
