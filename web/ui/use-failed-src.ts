import { useEffect, useState } from 'react';

/**
 * Returns the URL of a picture that could not be loaded, and a function that sets it. The URL is forgotten when the
 * connection returns, so that the picture is loaded again.
 */
export const useFailedSrc = () => {
  const [failedSrc, setFailedSrc] = useState<string>();
  useEffect(() => {
    if (!failedSrc) return;
    const forget = () => setFailedSrc(undefined);
    window.addEventListener('online', forget);
    return () => window.removeEventListener('online', forget);
  }, [failedSrc]);
  return [failedSrc, setFailedSrc] as const;
};
