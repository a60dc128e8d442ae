import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fetchWithSession } from './api.ts';
import { createUnavailableError } from './api-error.ts';
import { queryClient } from './query-client.ts';

/** How long pictures stay in memory after they were displayed, in milliseconds. */
const cacheLifetimeMs = 10 * 60 * 1000;
/** How often loading is tried again, after 1, 2, 4, 8 and 16 seconds. */
const retries = 5;
queryClient.setQueryDefaults(['protected-image'], { gcTime: cacheLifetimeMs, retry: retries });

/** Stores a picture that this browser has uploaded, so that it need not be loaded. */
export const cacheProtectedImage = (address: string, picture: Blob): void => {
  queryClient.setQueryData(['protected-image', address], picture);
};

const loadImage = async (address: string, signal: AbortSignal): Promise<Blob | null> => {
  const response = await fetchWithSession(address, { signal });
  if (response.ok) return response.blob();
  if (response.status === 429 || response.status >= 500) throw createUnavailableError(response.status);
  return null;
};

/**
 * Loads a picture that the server serves only to certain people, which needs the session's access token, and the `src` of
 * an image element does not send that. Returns an object URL, null when there is no such picture, and undefined while it
 * cannot be loaded or when there is no address. Until it is wanted, it is not loaded, but displayed if it is in memory.
 */
export const useProtectedImage = (
  address: string | undefined,
  isWanted = true,
): string | null | undefined => {
  const { data } = useQuery(
    {
      queryKey: ['protected-image', address],
      queryFn: ({ signal }) => (address === undefined ? null : loadImage(address, signal)),
      enabled: address !== undefined && isWanted,
      staleTime: Number.POSITIVE_INFINITY,
    },
    queryClient,
  );
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!data) return;
    const created = URL.createObjectURL(data);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [data]);
  return data === null ? null : url;
};
