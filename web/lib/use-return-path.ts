import { useLocation } from 'react-router';
import { returnPath } from './return-path.ts';

/** Where the reader wanted to go before an account screen came in between: its state, or its query `from`. */
export const useReturnPath = (): string | undefined => {
  const { state, search } = useLocation();
  const { from } = (state ?? {}) as { from?: unknown };
  return returnPath(from) ?? returnPath(new URLSearchParams(search).get('from'));
};
