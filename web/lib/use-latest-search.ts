import { useLocation, useNavigation } from 'react-router';

/**
 * Returns a function that returns the query parameters of the URL that is being loaded or, if there
 * is none, of the current URL. It asks the router itself, because hooks return the state that was
 * rendered last: a choice made before the previous one is rendered would lose that one.
 */
export const useLatestSearch = (): (() => URLSearchParams) => {
  const { pathname } = useLocation();
  const { location: next } = useNavigation();
  return () => new URLSearchParams(next?.pathname === pathname ? next.search : window.location.search);
};
