import { useLocation, useNavigation } from 'react-router';

/**
 * Returns a function that returns the parameters of the page's URL: of the one that is loading, otherwise of the browser's
 * current one. Both may be newer than the rendered page, so that a choice made before they are rendered keeps the previous
 * one.
 */
export const useLatestSearch = (): (() => URLSearchParams) => {
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  return () => new URLSearchParams(next?.pathname === pathname ? next.search : window.location.search);
};
