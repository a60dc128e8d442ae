import { useEffect, useState } from 'react';

/** Returns a value once it has stayed the same for `pauseMs` milliseconds, and until then the last one that has. */
export const usePaused = (value: string, pauseMs: number): string => {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return paused;
};
