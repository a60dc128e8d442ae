/** Limits of listing photos and avatars (specification §5, §9). Sizes in bytes, lengths in pixels. */
export const maxPhotos = 5;
/** The largest files: "less than 10MB" and "less than 5MB" leave out the bounds themselves. */
export const photoBytes = 10 * 1024 * 1024 - 1;
export const avatarBytes = 5 * 1024 * 1024 - 1;
export const longestSide = 1600;
export const jpegQuality = 0.85;
export const maxPixels = 50_000_000;

export const photoTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

export const photoSentences = {
  type: 'Only JPG, JPEG, PNG, and WEBP images are allowed',
  tooMany: 'Maximum 5 photos allowed',
  foreign: 'Photos must be uploaded here first',
} as const;

/** §5: names the size of the refused file, in megabytes. */
export const photoTooLarge = (bytes: number): string =>
  `File size must be less than 10MB (${(bytes / 1024 / 1024).toFixed(1)}MB)`;

export const buckets = ['listing-photos', 'avatars'] as const;
export type Bucket = (typeof buckets)[number];

const publicPrefix = '/storage/v1/object/public/';

/** Returns the root-relative URL of a stored file, the form used in all tables and responses. */
export const publicUrl = (bucket: Bucket, path: string): string => `${publicPrefix}${bucket}/${path}`;

/** Returns the stored, root-relative form of a URL of this site (relative or absolute). */
export const fromRoot = (url: string): string => {
  const start = url.indexOf(publicPrefix);
  return start < 0 ? url : url.slice(start);
};

/** The derived widths of every stored photo; a narrower photo keeps its own width. */
export const photoWidths = [320, 640, 1024, 1600] as const;
export const photoFormats = ['avif', 'webp', 'jpeg'] as const;

/** Returns the URL of a derived size of a stored photo. */
export const variantUrl = (url: string, width: number, format: (typeof photoFormats)[number]): string =>
  `${url}@${width}.${format}`;

/** A stored photo for pages: its URL, size and placeholder. */
export interface Photo {
  url: string;
  width: number;
  height: number;
  /** ThumbHash, base64 (https://evanw.github.io/thumbhash). */
  thumbhash: string;
}
