import { useEffect, useState } from 'react';

const updateIntervalMs = 15_000;

/** Returns the current time, and rerenders the component every 15 seconds. */
export const useNow = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), updateIntervalMs);
    return () => clearInterval(timer);
  }, []);
  return now;
};
