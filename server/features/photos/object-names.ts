import { randomUUID } from 'node:crypto';
import { publicBuckets, type StorageBucket, storageBuckets, toPublicFileUrl } from '#contract/photos.ts';
import { isFileKey } from '#server/platform/files/files.ts';
import {
  type ImagePresetName,
  imagePresets,
  listFileSuffixes,
} from '#server/platform/images/image-presets.ts';
import { buildMessagePhotoObjectPath } from './sql.ts';

export interface ObjectName {
  bucket: StorageBucket;
  path: string;
}

/** Converts an untrusted file name to a path segment: ASCII letters, digits and hyphens, at most 80 characters. */
export const toPathSegment = (filename: string): string => {
  const stem = filename
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-|-$/g, '');
  return stem || 'photo';
};

/**
 * Returns the path of an upload (specification §7, "File storage"). It ends in .jpg because the stored original is
 * always a JPEG.
 */
export const buildObjectPath = (
  bucket: StorageBucket,
  userId: string,
  timestamp: number,
  filename: string,
): string => {
  if (bucket === 'message-photos') return buildMessagePhotoObjectPath(userId, randomUUID());
  return bucket === 'avatars'
    ? `${userId}/${timestamp}.jpg`
    : `${userId}/${timestamp}-${toPathSegment(filename)}.jpg`;
};

/** Returns the id in the path of a photo of a message. */
export const toMessagePhotoId = (path: string): string => path.slice(path.indexOf('/') + 1, -'.jpg'.length);

export const buildFileKey = ({ bucket, path }: ObjectName): string => `${bucket}/${path}`;

/** Maps each bucket to the preset with which its photos are re-encoded. */
export const imagePresetByBucket = {
  'listing-photos': 'listing-photo',
  avatars: 'avatar',
  'message-photos': 'message-photo',
} as const satisfies Record<StorageBucket, ImagePresetName>;

/**
 * Returns the keys of all files of an object, the original last. Objects stored before a size was
 * introduced do not have a file of that size.
 */
export const listFileKeys = (object: ObjectName): { key: string; derived: boolean }[] =>
  listFileSuffixes(imagePresets[imagePresetByBucket[object.bucket]]).map((suffix) => ({
    key: buildFileKey(object) + suffix,
    derived: suffix !== '',
  }));

export const isBucket = (text: string): text is StorageBucket =>
  (storageBuckets as readonly string[]).includes(text);

export const isPublicBucket = (bucket: StorageBucket): boolean =>
  (publicBuckets as readonly string[]).includes(bucket);

const derivedSuffixPattern = /@\d+\.[a-z]+$/;

/** Returns whether a path names a resized copy instead of the original. */
export const isDerivedPath = (path: string): boolean => derivedSuffixPattern.test(path);

/** Returns the original's path for the path of a resized copy; the path of an original is returned unchanged. */
export const toOriginalPath = (path: string): string => path.replace(derivedSuffixPattern, '');

/** Returns the object that a URL names, or undefined when the URL does not belong to this server. */
export const parseObjectUrl = (url: string): ObjectName | undefined => {
  for (const bucket of storageBuckets) {
    const prefix = toPublicFileUrl(bucket, '');
    const path = url.slice(prefix.length);
    if (url.startsWith(prefix) && isFileKey(path)) return { bucket, path };
  }
  return undefined;
};
