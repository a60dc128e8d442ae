import { useState } from 'react';
import type { Photo as StoredPhoto } from '#contract/photos.ts';
import { Photo } from '#web/ui/photo.tsx';
import { photoSources } from './photo-sources.ts';

export interface GalleryProps {
  photos: readonly StoredPhoto[];
  title: string;
}

/** The main photo and the others below it. Choosing one of them swaps the two, so nothing is shown twice. */
export function Gallery({ photos, title }: GalleryProps) {
  const [order, setOrder] = useState(() => photos.map((_, index) => index));
  const [first = 0, ...others] = order;
  const main = photos[first];

  const choose = (place: number) =>
    setOrder(order.map((_, index) => order[index === 0 ? place : index === place ? 0 : index] ?? 0));

  return (
    <div className="space-y-3">
      <div className="overflow-hidden rounded-xl border border-line">
        <Photo
          key={main?.url}
          {...photoSources(main)}
          sizes="(min-width: 64rem) 46rem, 100vw"
          alt={main ? photoName(title, first, photos.length) : `No photo of ${title}`}
          priority
          fit="contain"
        />
      </div>
      {others.length > 0 && (
        <ul aria-label="More photos" className="grid grid-cols-4 gap-2 sm:gap-3">
          {others.map((index, place) => (
            // The place stays when its photo changes, and so does the focus on it.
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the identity
            <li key={place}>
              <button
                type="button"
                aria-label={`Show photo ${index + 1} of ${photos.length}`}
                onClick={() => choose(place + 1)}
                className="block w-full overflow-hidden rounded-lg border border-line transition-opacity hover:opacity-85"
              >
                <Photo
                  key={photos[index]?.url}
                  {...photoSources(photos[index])}
                  sizes="(min-width: 64rem) 11rem, 24vw"
                  alt=""
                />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const photoName = (title: string, index: number, count: number): string =>
  count > 1 ? `${title}, photo ${index + 1} of ${count}` : title;
