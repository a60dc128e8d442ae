import type { Bucket } from '#contract/photos.ts';
import { buckets, publicUrl } from '#contract/photos.ts';
import { isFileKey } from '#server/platform/files/files.ts';

/** Where a stored object is. */
export interface ObjectName {
  bucket: Bucket;
  path: string;
}

/** A name from anywhere as part of a path: plain letters, digits and hyphens, at most 80 characters. */
export const cleanName = (filename: string): string => {
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

/** §7, File storage. What is stored is always a JPEG, whatever was sent, so the name says so. */
export const objectPath = (bucket: Bucket, userId: string, timestamp: number, filename: string): string =>
  bucket === 'avatars' ? `${userId}/${timestamp}.jpg` : `${userId}/${timestamp}-${cleanName(filename)}.jpg`;

/** The key of an object in the file store. */
export const fileKey = ({ bucket, path }: ObjectName): string => `${bucket}/${path}`;

export const isBucket = (text: string): text is Bucket => (buckets as readonly string[]).includes(text);

const derivedEnd = /@\d+\.[a-z]+$/;

/** Whether a path names a derived size rather than the base. */
export const isDerived = (path: string): boolean => derivedEnd.test(path);

/** The path of the base that a path names or is derived from. */
export const basePath = (path: string): string => path.replace(derivedEnd, '');

/** The object a stored address names; undefined when it is none of this server's. */
export const objectOfUrl = (url: string): ObjectName | undefined => {
  for (const bucket of buckets) {
    const prefix = publicUrl(bucket, '');
    const path = url.slice(prefix.length);
    if (url.startsWith(prefix) && isFileKey(path)) return { bucket, path };
  }
  return undefined;
};
