import { ImageOff } from 'lucide-react';
import { type Ref, useMemo } from 'react';
import { thumbhashToDataUrl } from '#web/ui/thumbhash-blur.ts';

export interface PhotoFrameProps {
  /** The URL of the photo, null when there is none, and undefined while it is loaded. */
  src: string | null | undefined;
  /** ThumbHash in base64, whose blurred picture is shown until the photo has loaded. */
  thumbhash?: string | undefined;
  alt: string;
  ref?: Ref<HTMLSpanElement>;
}

/** A photo that fills a frame, whose size does not depend on it. */
export function PhotoFrame({ src, thumbhash, alt, ref }: PhotoFrameProps) {
  const blur = useMemo(() => thumbhash && thumbhashToDataUrl(thumbhash), [thumbhash]);
  return (
    <span
      ref={ref}
      style={blur ? { backgroundImage: `url(${blur})` } : undefined}
      className="block size-full overflow-hidden bg-center bg-cover bg-sunken"
    >
      {src === null ? (
        <span
          role="img"
          aria-label={alt}
          className="grid size-full place-items-center bg-sunken text-ink-muted"
        >
          <ImageOff aria-hidden="true" className="size-6 opacity-60" strokeWidth={1.5} />
        </span>
      ) : src === undefined ? (
        <span role="img" aria-label={alt} className="block size-full" />
      ) : (
        <img src={src} alt={alt} className="size-full object-cover" />
      )}
    </span>
  );
}
