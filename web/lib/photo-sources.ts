import { type Photo, photoWidths, variantUrl } from '#contract/photos.ts';

const srcSet = ({ url }: Photo, format: 'avif' | 'webp'): string =>
  photoWidths.map((width) => `${variantUrl(url, width, format)} ${width}w`).join(', ');

/** A stored photo as the design system's Photo takes it: every width, the smallest format first. */
export const photoSources = (photo: Photo | null | undefined) =>
  photo
    ? {
        src: variantUrl(photo.url, 640, 'jpeg'),
        srcSet: srcSet(photo, 'webp'),
        source: { type: 'image/avif', srcSet: srcSet(photo, 'avif') },
        width: photo.width,
        height: photo.height,
        thumbhash: photo.thumbhash,
      }
    : {};
