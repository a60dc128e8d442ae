import { use } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext } from 'react-router';

/**
 * Returns a function that returns the query parameters of the URL that is being loaded or, if there is
 * none, of the current URL. The function reads them from the router, because hooks only return parameters
 * that were already rendered; of two quick choices, the second would then undo the first.
 */
export const useLatestSearch = (): (() => URLSearchParams) => {
  const router = use(DataRouterContext)?.router;
  return () => {
    const { location, navigation } = router?.state ?? {};
    const next = navigation?.location;
    return new URLSearchParams((next?.pathname === location?.pathname ? next : location)?.search);
  };
};
