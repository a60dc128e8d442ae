import { buffer } from 'node:stream/consumers';
import type { MessagePhotoWidth, StorageBucket } from '#contract/photos.ts';
import type { App } from '#server/app.ts';
import type { StoredFile } from '#server/platform/files/files.ts';
import { buildDerivedFileSuffix } from '#server/platform/images/image-presets.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { buildFileKey, isDerivedPath, type ObjectName, parseObjectUrl } from './object-names.ts';
import { canViewHiddenPhoto, type PhotoViewer } from './policy.ts';
import { listOwnedUrls } from './repository.ts';

/**
 * Opens the stored original or a resized copy. Returns undefined when it does not exist, or when it is hidden from the
 * public and the viewer is neither its owner nor a moderator.
 */
export const findPhoto = async (
  { files, hiddenPhotos }: App,
  object: ObjectName,
  findViewer: () => Promise<PhotoViewer | undefined>,
): Promise<(StoredFile & { derived: boolean; hidden: boolean }) | undefined> => {
  const hidden = await hiddenPhotos.has(object);
  if (hidden && !canViewHiddenPhoto(object, await findViewer())) return undefined;
  const file = await files.read(buildFileKey(object));
  return file && { ...file, derived: isDerivedPath(object.path), hidden };
};

/** Opens a photo of a message in one of its widths, or its original. Returns undefined when it was deleted. */
export const openMessagePhoto = (
  { files }: App,
  path: string,
  width: MessagePhotoWidth | undefined,
): Promise<StoredFile | undefined> =>
  files.read(
    buildFileKey({ bucket: 'message-photos', path }) +
      (width === undefined ? '' : buildDerivedFileSuffix(width, 'webp')),
  );

/** Returns the stored original of a photo or avatar, or undefined when it was deleted. */
export const readOriginalPhoto = async ({ files }: App, url: string): Promise<Uint8Array | undefined> => {
  const object = parseObjectUrl(url);
  const file = object && (await files.read(buildFileKey(object)));
  return file && buffer(await file.open());
};

/**
 * Returns which of these URLs are the person's own objects in the bucket. When `within` is a transaction, these
 * objects cannot be removed before it ends.
 */
export const listOwnedPhotos = (
  { sql }: App,
  userId: string,
  bucket: StorageBucket,
  urls: readonly string[],
  within: Queryable = sql,
): Promise<string[]> => listOwnedUrls(within, userId, bucket, urls);
