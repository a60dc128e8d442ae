import { useLayoutEffect, useRef } from 'react';
import { type NavigateOptions, type To, useNavigate, useNavigation } from 'react-router';

/**
 * Returns a function that returns whether the person has left the page of this component: it is unmounted, or another
 * page is loading.
 */
export const useHasLeft = (): (() => boolean) => {
  const { state } = useNavigation();
  const hasLeft = useRef(false);
  // A layout effect, so that a response that arrives right after the commit finds the new value.
  useLayoutEffect(() => {
    hasLeft.current = state !== 'idle';
    return () => {
      hasLeft.current = true;
    };
  }, [state]);
  return () => hasLeft.current;
};

/**
 * Returns a function that navigates unless the person has left the page of this component. Use it after a response,
 * because the router also navigates for unmounted components.
 */
export const useNavigateUnlessLeft = (): ((to: To, options?: NavigateOptions) => void) => {
  const navigate = useNavigate();
  const hasLeft = useHasLeft();
  return (to, options) => {
    if (!hasLeft()) void navigate(to, options);
  };
};
