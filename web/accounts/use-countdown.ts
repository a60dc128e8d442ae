import { useCallback, useEffect, useState } from 'react';

/** Returns the seconds left until an instant that `restart` sets. Based on the clock, so a suspended tab stays correct. */
export const useCountdown = (seconds: number): { left: number; restart: () => void } => {
  const [until, setUntil] = useState(() => Date.now() + seconds * 1000);
  const [left, setLeft] = useState(seconds);
  const counting = left > 0;

  useEffect(() => {
    const look = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    look();
    if (!counting) return;
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [until, counting]);

  const restart = useCallback(() => {
    setUntil(Date.now() + seconds * 1000);
    setLeft(seconds);
  }, [seconds]);

  return { left, restart };
};
