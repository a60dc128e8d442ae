import { use } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext } from 'react-router';

/**
 * Returns a function that returns the query parameters of the URL that is being loaded or, if there
 * is none, of the current URL. It asks the router itself, because hooks return the state that was
 * rendered last: a choice made before the previous one is rendered would lose that one.
 */
export const useLatestSearch = (): (() => URLSearchParams) => {
  const router = use(DataRouterContext)?.router;
  return () => {
    const { location, navigation } = router?.state ?? {};
    const next = navigation?.location;
    return new URLSearchParams((next?.pathname === location?.pathname ? next : location)?.search);
  };
};
