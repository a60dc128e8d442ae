import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fetchWithSession } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';

/**
 * Shows the photos of quoted content. Only moderators may load them, so they are fetched with the
 * session's access token instead of by the `src` of an image element.
 */
export function QuotedPhotos({ quoteId, count }: { quoteId: string; count: number }) {
  return (
    <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index is the name of the photo
        <li key={index}>
          <QuotedPhoto quoteId={quoteId} index={index} />
        </li>
      ))}
    </ul>
  );
}

const loadPhoto = async (quoteId: string, index: number, signal: AbortSignal): Promise<Blob | null> => {
  const response = await fetchWithSession(`/rest/v1/moderation/quotes/${quoteId}/photos/${index}`, {
    signal,
  });
  return response.ok ? response.blob() : null;
};

function QuotedPhoto({ quoteId, index }: { quoteId: string; index: number }) {
  const { data } = useQuery(
    {
      queryKey: ['console-quoted-photo', quoteId, index],
      queryFn: ({ signal }) => loadPhoto(quoteId, index, signal),
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
  if (data === null) return <p className="text-ink-muted text-sm">A photo that is no longer available</p>;
  return (
    <div className="aspect-4/3 overflow-hidden rounded-md bg-sunken">
      {url && <img src={url} alt={`Quoted ${index + 1}`} className="size-full object-contain" />}
    </div>
  );
}
