import { buildPhotoCopyUrl, type Photo, photoCopyWidths } from '#contract/photos.ts';

const toSrcSet = ({ url }: Photo, format: 'avif' | 'webp'): string =>
  photoCopyWidths.map((width) => `${buildPhotoCopyUrl(url, width, format)} ${width}w`).join(', ');

/** Returns the Photo component's props for a stored photo: URLs for all widths, in AVIF, WebP and JPEG. */
export const getPhotoSources = (photo: Photo | null | undefined) =>
  photo
    ? {
        src: buildPhotoCopyUrl(photo.url, 640, 'jpeg'),
        srcSet: toSrcSet(photo, 'webp'),
        source: { type: 'image/avif', srcSet: toSrcSet(photo, 'avif') },
        width: photo.width,
        height: photo.height,
        thumbhash: photo.thumbhash,
      }
    : {};
