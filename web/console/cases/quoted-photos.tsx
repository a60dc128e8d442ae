import { useProtectedImage } from '#web/lib/use-protected-image.ts';

/** Shows the photos of quoted content, which only moderators may load. */
export function QuotedPhotos({ quoteId, count }: { quoteId: string; count: number }) {
  const addresses = Array.from(
    { length: count },
    (_, index) => `/rest/v1/moderation/quotes/${quoteId}/photos/${index}`,
  );
  return <CasePhotos addresses={addresses} toAlt={(place) => `Quoted ${place}`} />;
}

/** Shows photos that the server serves to moderators although they may be hidden from the public. */
export function CasePhotos({
  addresses,
  toAlt,
}: {
  addresses: readonly string[];
  toAlt: (place: number) => string;
}) {
  return (
    <ul className="two-columns gap-2 sm:grid-cols-3">
      {addresses.map((address, index) => (
        <li key={address}>
          <CasePhoto address={address} alt={toAlt(index + 1)} />
        </li>
      ))}
    </ul>
  );
}

function CasePhoto({ address, alt }: { address: string; alt: string }) {
  const url = useProtectedImage(address);
  if (url === null) return <p className="text-ink-muted text-sm">A photo that is no longer available</p>;
  return (
    <div className="aspect-4/3 overflow-hidden rounded-md bg-sunken">
      {url && <img src={url} alt={alt} className="size-full object-contain" />}
    </div>
  );
}
