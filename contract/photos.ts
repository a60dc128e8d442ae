/**
 * Limits of listing photos and avatars (specification §5, §9). Sizes of files are in bytes, lengths and areas
 * in pixels.
 */
export const maxPhotosPerListing = 5;
export const maxPhotosPerMessage = 5;
/**
 * Maximum file sizes in bytes. They are one byte below 10 MB and 5 MB, because the error messages
 * say "less than 10MB" and "less than 5MB".
 */
export const maxPhotoBytes = 10 * 1024 * 1024 - 1;
export const maxAvatarBytes = 5 * 1024 * 1024 - 1;
export const maxPhotoSidePixels = 1600;
export const jpegQuality = 0.85;
export const maxPhotoPixels = 50_000_000;

export const photoMimeTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

export const photoErrorMessages = {
  type: 'Only JPG, JPEG, PNG, and WEBP images are allowed',
  tooMany: 'Maximum 5 photos allowed',
  foreign: 'Photos must be uploaded here first',
} as const;

/** Returns the error message for a photo that is too large; it contains the size in megabytes (specification §5). */
export const formatPhotoTooLargeMessage = (bytes: number): string =>
  `File size must be less than 10MB (${(bytes / 1024 / 1024).toFixed(1)}MB)`;

/** Buckets whose files everybody can read. */
export const publicBuckets = ['listing-photos', 'avatars'] as const;
/** All buckets. Those who may read a photo of a message are the parties of its conversation. */
export const storageBuckets = [...publicBuckets, 'message-photos'] as const;
export type StorageBucket = (typeof storageBuckets)[number];

const publicFilePrefix = '/storage/v1/object/public/';

/**
 * Returns the URL of a stored file, relative to the root of the site. All tables and responses contain URLs
 * of this form.
 */
export const toPublicFileUrl = (bucket: StorageBucket, path: string): string =>
  `${publicFilePrefix}${bucket}/${path}`;

/** Converts an absolute or relative URL of a stored file to the root-relative form; returns any other URL unchanged. */
export const toRootRelativeUrl = (url: string): string => {
  const start = url.indexOf(publicFilePrefix);
  return start < 0 ? url : url.slice(start);
};

/**
 * Widths in pixels of the copies of every listing photo. Photos are never enlarged, so no copy is wider than
 * the original photo.
 */
export const photoCopyWidths = [320, 640, 1024, 1600] as const;
export const photoCopyFormats = ['avif', 'webp', 'jpeg'] as const;

/** Widths in pixels of the copies of every photo of a message. */
export const messagePhotoWidths = [320, 640, 1600] as const;
export type MessagePhotoWidth = (typeof messagePhotoWidths)[number];

/** Returns the URL of a resized copy of a stored photo. */
export const buildPhotoCopyUrl = (
  url: string,
  width: number,
  format: (typeof photoCopyFormats)[number],
): string => `${url}@${width}.${format}`;

/** A stored photo as pages display it: its URL, its size in pixels and a placeholder. */
export interface Photo {
  url: string;
  width: number;
  height: number;
  /** A blurred preview of the photo: a ThumbHash in base64 (https://evanw.github.io/thumbhash). */
  thumbhash: string;
}
