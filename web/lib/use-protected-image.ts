import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fetchWithSession } from './api.ts';
import { queryClient } from './query-client.ts';

const loadImage = async (address: string, signal: AbortSignal): Promise<Blob | null> => {
  const response = await fetchWithSession(address, { signal });
  return response.ok ? response.blob() : null;
};

/**
 * Loads a picture that the server serves only to certain people, which needs the session's access token, and the `src` of
 * an image element does not send that. Returns an object URL, null when there is no such picture, and undefined while it
 * loads or when there is no address.
 */
export const useProtectedImage = (address: string | undefined): string | null | undefined => {
  const { data } = useQuery(
    {
      queryKey: ['protected-image', address],
      queryFn: ({ signal }) => (address === undefined ? null : loadImage(address, signal)),
      enabled: address !== undefined,
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
