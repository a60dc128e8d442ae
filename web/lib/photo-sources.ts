import { type Photo, photoCopyUrl, photoWidths } from '#contract/photos.ts';

const srcSet = ({ url }: Photo, format: 'avif' | 'webp'): string =>
  photoWidths.map((width) => `${photoCopyUrl(url, width, format)} ${width}w`).join(', ');

/** Returns the Photo component's props for a stored photo: URLs of all widths, in AVIF, WebP and JPEG. */
export const photoSources = (photo: Photo | null | undefined) =>
  photo
    ? {
        src: photoCopyUrl(photo.url, 640, 'jpeg'),
        srcSet: srcSet(photo, 'webp'),
        source: { type: 'image/avif', srcSet: srcSet(photo, 'avif') },
        width: photo.width,
        height: photo.height,
        thumbhash: photo.thumbhash,
      }
    : {};
