import { use, useLayoutEffect, useRef } from 'react';
import {
  UNSAFE_DataRouterStateContext as DataRouterStateContext,
  useLocation,
  useNavigationType,
} from 'react-router';

/**
 * Scrolls to the top on every new navigation (specification §2), including one to the page that is already open,
 * unless it has `preventScrollReset`. On Back and Forward, ScrollAndFocusRestoration restores the scroll position
 * instead. The router scrolls to URL fragments.
 */
export const useScrollToTop = (): void => {
  const { key, hash } = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const keepsPosition = use(DataRouterStateContext)?.preventScrollReset;
  const last = useRef(key);
  useLayoutEffect(() => {
    if (last.current === key) return;
    last.current = key;
    if (!hash && !isReturn && !keepsPosition) window.scrollTo(0, 0);
  }, [key, hash, isReturn, keepsPosition]);
};
