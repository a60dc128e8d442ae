import { z } from 'zod';
import type { OwnListing } from '#contract/listings.ts';
import {
  findFileOnDevice,
  findOnDevice,
  removeFilesFromDevice,
  removeFromDevice,
  saveOnDevice,
} from '#web/lib/device-storage.ts';
import { type PhotoItem, toPhotoItem } from './photo-items.ts';
import { blankListingValues, type ListingValues } from './submission.ts';

const savedListingSchema = z.object({
  /** The client id of the form that saved these values. */
  client_id: z.string(),
  /** `updated_at` of the listing from which the form started; null for a new listing. */
  based_on: z.string().nullable(),
  values: z
    .record(z.string(), z.string())
    .transform((saved): ListingValues => ({ ...blankListingValues, ...saved })),
  photos: z.array(
    z.object({
      id: z.string(),
      /** URL of the stored photo; null until it is uploaded. */
      url: z.string().nullable(),
      file_name: z.string(),
    }),
  ),
});

/** The unsent content of a listing form, saved on this device. */
export type SavedListing = z.output<typeof savedListingSchema>;

/** Identifies a form: the account and the listing's id, undefined for a new listing. */
export interface FormKey {
  ownerId: string;
  listingId: string | undefined;
}

const toSavedFormName = ({ listingId }: FormKey): string => `listing.${listingId ?? 'new'}`;

/** A saved form, and when it was saved, in milliseconds since 1970. */
export type TimestampedSavedListing = SavedListing & { savedAt: number };

export const findSavedListing = (key: FormKey): TimestampedSavedListing | undefined => {
  const found = findOnDevice(key.ownerId, toSavedFormName(key));
  const parsed = savedListingSchema.safeParse(found?.value);
  return found && parsed.success ? { ...parsed.data, savedAt: found.saved_at } : undefined;
};

/** Saves a form. Returns whether it is stored on the device, as opposed to this tab only. */
export const storeSavedListing = (key: FormKey, saved: SavedListing): boolean =>
  saveOnDevice(key.ownerId, toSavedFormName(key), saved);

/**
 * Removes the saved content of the form with this client id. Content that another tab has saved
 * since then stays.
 */
export const removeSavedListing = (key: FormKey, clientId: string): void => {
  if (findSavedListing(key)?.client_id === clientId) removeFromDevice(key.ownerId, toSavedFormName(key));
};

/**
 * Removes the saved content of a form and the files of its uploaded photos, after the server has
 * stored the listing.
 */
export const discardSavedListing = (key: FormKey, clientId: string, photos: readonly PhotoItem[]): void => {
  removeSavedListing(key, clientId);
  const uploaded = photos.filter(({ url }) => url !== null);
  void removeFilesFromDevice(
    key.ownerId,
    uploaded.map(({ id }) => id),
  );
};

/** An unfinished form, restored from this device and ready to be displayed. */
export interface RestoredListing {
  clientId: string;
  values: ListingValues;
  items: PhotoItem[];
  /**
   * Names of the photos that are neither on the server nor on this device anymore: the file name, or the
   * position if the photo has no name.
   */
  lostPhotos: string[];
}

/** Returns whether the server still has a photo. The server removes photos that no listing has used for a day. */
const isPhotoOnServer = async (url: string): Promise<boolean> => {
  try {
    const { status } = await fetch(url, { method: 'HEAD', cache: 'no-store' });
    return status !== 404 && status !== 410;
  } catch {
    // The server is unreachable, so assume that it has the photo. If the photo is gone, saving the
    // listing reports that.
    return true;
  }
};

const restorePhoto = async (
  ownerId: string,
  { id, url }: SavedListing['photos'][number],
  listing: OwnListing | undefined,
): Promise<PhotoItem | undefined> => {
  if (url && listing?.photos.includes(url)) return toPhotoItem(url, listing.images);
  const [isStored, file] = await Promise.all([
    url !== null && isPhotoOnServer(url),
    findFileOnDevice(ownerId, id),
  ]);
  const preview = file ? URL.createObjectURL(file) : url;
  if (url && preview && isStored) return { ...toPhotoItem(url, []), id, preview, file: file ?? null };
  if (!file || !preview) return undefined;
  return { id, preview, url: null, uploading: true, progress: 0, error: null, file, isSavedOnDevice: true };
};

/**
 * Restores a form. Checks whether its uploaded photos still exist, and loads the files of photos
 * that must be uploaded again.
 */
export const restoreListingForm = async (
  ownerId: string,
  saved: SavedListing,
  listing: OwnListing | undefined,
): Promise<RestoredListing> => {
  const items = await Promise.all(saved.photos.map((photo) => restorePhoto(ownerId, photo, listing)));
  return {
    clientId: saved.client_id,
    values: saved.values,
    items: items.filter((item) => item !== undefined),
    lostPhotos: saved.photos.flatMap(({ file_name }, index) =>
      items[index] ? [] : [file_name || `Photo ${index + 1}`],
    ),
  };
};
