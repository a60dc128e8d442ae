import { useEffect, useState } from 'react';

const wideMediaQuery = '(min-width: 48rem)';

/** Returns whether the window has room for two columns (`md` in class names). For components that the server does not render. */
export const useIsWideWindow = (): boolean => {
  const [matches, setMatches] = useState(() => window.matchMedia(wideMediaQuery).matches);
  useEffect(() => {
    const query = window.matchMedia(wideMediaQuery);
    const look = () => setMatches(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return matches;
};
