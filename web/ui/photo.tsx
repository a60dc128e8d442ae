import { clsx } from 'clsx';
import { ImageOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { thumbhashToColor } from './thumbhash-color.ts';
import { useFailedSrc } from './use-failed-src.ts';

const aspectRatioClasses = { '4:3': 'aspect-4/3', '4:5': 'aspect-4/5', square: 'aspect-square', free: '' };

export interface PhotoProps {
  /** The photo's URL. If it is missing or cannot be loaded, an empty frame is shown. */
  src?: string | null | undefined;
  srcSet?: string | undefined;
  sizes?: string | undefined;
  /** The same picture in a better format, for browsers that support it. */
  source?: { type: string; srcSet: string } | undefined;
  alt: string;
  width?: number | undefined;
  height?: number | undefined;
  /**
   * ThumbHash in base64. The frame first shows its average color, then its blurred picture until the photo
   * has loaded.
   */
  thumbhash?: string | null | undefined;
  /** The page's main photo: loaded eagerly and with high priority. */
  priority?: boolean | undefined;
  ratio?: keyof typeof aspectRatioClasses | undefined;
  /** `cover` fills the frame; `contain` shows the whole photo. */
  fit?: 'cover' | 'contain' | undefined;
  className?: string | undefined;
}

export function Photo({
  src,
  srcSet,
  sizes,
  source,
  alt,
  width = 800,
  height = 600,
  thumbhash,
  priority = false,
  ratio = '4:3',
  fit = 'cover',
  className,
}: PhotoProps) {
  const image = useRef<HTMLImageElement>(null);
  const [failedSrc, setFailedSrc] = useFailedSrc();
  const [blur, setBlur] = useState<string>();
  const isMissing = !src || src === failedSrc;

  useEffect(() => {
    if (!thumbhash || !image.current || image.current.complete) return;
    let isCurrent = true;
    // The ThumbHash decoder is only needed while the photo is still loading.
    import('./thumbhash-blur.ts').then(
      ({ thumbhashToDataUrl }) => isCurrent && setBlur(thumbhashToDataUrl(thumbhash)),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [thumbhash]);

  // React misses load errors that happen before hydration, so detect them here.
  useEffect(() => {
    if (src && image.current?.complete && image.current.naturalWidth === 0) setFailedSrc(src);
  }, [src, setFailedSrc]);

  return (
    <div
      className={clsx('relative overflow-hidden bg-sunken', aspectRatioClasses[ratio], className)}
      style={isMissing ? undefined : { backgroundColor: thumbhashToColor(thumbhash) }}
    >
      {isMissing ? (
        <div
          {...(alt ? { role: 'img', 'aria-label': alt } : {})}
          className="mown grid size-full place-items-center text-ink-muted"
        >
          <ImageOff aria-hidden="true" className="size-8 opacity-60" strokeWidth={1.5} />
        </div>
      ) : (
        <>
          {blur && <img src={blur} alt="" className="absolute inset-0 size-full object-cover" />}
          <picture className="contents">
            {source && <source type={source.type} srcSet={source.srcSet} sizes={sizes} />}
            <img
              ref={image}
              src={src}
              srcSet={srcSet}
              sizes={sizes}
              alt={alt}
              width={width}
              height={height}
              loading={priority ? 'eager' : 'lazy'}
              fetchPriority={priority ? 'high' : 'auto'}
              decoding={priority ? 'sync' : 'async'}
              onError={() => setFailedSrc(src)}
              className={clsx('relative size-full', fit === 'cover' ? 'object-cover' : 'object-contain')}
            />
          </picture>
        </>
      )}
    </div>
  );
}
