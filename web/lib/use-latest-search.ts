import { use } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext } from 'react-router';

/**
 * Returns a function that returns the query parameters of the URL that is being loaded or, if none is, of
 * the current URL. It reads them from the router, because React Router's hooks return parameters only after
 * they were rendered: if the person chose two filters quickly, the second choice would undo the first.
 */
export const useLatestSearchParams = (): (() => URLSearchParams) => {
  const router = use(DataRouterContext)?.router;
  return () => {
    const { location, navigation } = router?.state ?? {};
    const next = navigation?.location;
    return new URLSearchParams((next?.pathname === location?.pathname ? next : location)?.search);
  };
};
