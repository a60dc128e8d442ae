import { useLocation } from 'react-router';
import { returnPath } from './return-path.ts';

/** Returns where the person was going before an account screen: from the location's state, or its query `from`. */
export const useReturnPath = (): string | undefined => {
  const { state, search } = useLocation();
  const { from } = (state ?? {}) as { from?: unknown };
  return returnPath(from) ?? returnPath(new URLSearchParams(search).get('from'));
};
