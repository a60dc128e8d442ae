/** Limits of listing photos and avatars (specification §5, §9). Sizes in bytes, lengths in pixels. */
export const maxPhotos = 5;
/**
 * Maximum file sizes. One byte less than the limit in the error message, because "less than 10MB" excludes 10 MB
 * itself.
 */
export const maxPhotoBytes = 10 * 1024 * 1024 - 1;
export const maxAvatarBytes = 5 * 1024 * 1024 - 1;
export const maxSidePixels = 1600;
export const jpegQuality = 0.85;
export const maxPixels = 50_000_000;

export const photoTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

export const photoSentences = {
  type: 'Only JPG, JPEG, PNG, and WEBP images are allowed',
  tooMany: 'Maximum 5 photos allowed',
  foreign: 'Photos must be uploaded here first',
} as const;

/** Returns the error message for a photo that is too large; it contains the size in megabytes (specification §5). */
export const photoTooLargeSentence = (bytes: number): string =>
  `File size must be less than 10MB (${(bytes / 1024 / 1024).toFixed(1)}MB)`;

export const buckets = ['listing-photos', 'avatars'] as const;
export type Bucket = (typeof buckets)[number];

const publicPrefix = '/storage/v1/object/public/';

/** Returns the root-relative URL of a stored file; all tables and responses use this form. */
export const publicUrl = (bucket: Bucket, path: string): string => `${publicPrefix}${bucket}/${path}`;

/** Converts an absolute or relative URL of a stored file to the root-relative form; returns any other URL unchanged. */
export const toRootRelativeUrl = (url: string): string => {
  const start = url.indexOf(publicPrefix);
  return start < 0 ? url : url.slice(start);
};

/** Widths in pixels of the resized copies of every stored photo; a narrower photo has a copy of its own width. */
export const photoWidths = [320, 640, 1024, 1600] as const;
export const photoFormats = ['avif', 'webp', 'jpeg'] as const;

/** Returns the URL of a resized copy of a stored photo. */
export const photoCopyUrl = (url: string, width: number, format: (typeof photoFormats)[number]): string =>
  `${url}@${width}.${format}`;

/** A stored photo as pages display it: its URL, its size in pixels and a placeholder. */
export interface Photo {
  url: string;
  width: number;
  height: number;
  /** ThumbHash, base64 (https://evanw.github.io/thumbhash). */
  thumbhash: string;
}
