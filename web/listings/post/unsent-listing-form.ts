import { type RefObject, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { OwnListing } from '#contract/listings.ts';
import { getSessionSnapshot, hasLoggedOut } from '#web/lib/session.ts';
import { findFile, isFileOnDevice, removeFiles } from '#web/lib/stored-files.ts';
import { declareStoredValue } from '#web/lib/stored-values.ts';
import { createUuid } from '#web/lib/uuid.ts';
import { sessionEndToastGroup, toast } from '#web/ui/toast.ts';
import { type PhotoItem, toPhotoItem } from './photo-items.ts';
import { blankListingFormValues, type ListingFormValues, listingFieldOrder } from './submission.ts';

const unsentListingFormSchema = z.object({
  /**
   * The random id of the form that saved these values. It distinguishes forms in different tabs, and makes posting
   * idempotent.
   */
  client_id: z.string(),
  /** `updated_at` of the listing from which the form started, or null for a new listing. */
  based_on: z.string().nullable(),
  values: z
    .record(z.string(), z.string())
    .transform((saved): ListingFormValues => ({ ...blankListingFormValues, ...saved })),
  photos: z.array(
    z.object({
      id: z.string(),
      /** URL of the stored photo, or null until it is uploaded. */
      url: z.string().nullable(),
      file_name: z.string(),
    }),
  ),
});

/** The unsent content of a listing form, saved on this device. */
export type UnsentListingForm = z.output<typeof unsentListingFormSchema>;

/** Identifies a listing form by its account and the listing's id, which is undefined for a new listing. */
export interface ListingFormKey {
  ownerId: string;
  listingId: string | undefined;
}

/** A saved form, and when it was saved, as Unix time in milliseconds. */
export type TimestampedUnsentListingForm = UnsentListingForm & { savedAt: number };

const newListingId = 'new';

const unsentForms = declareStoredValue({
  name: 'listing',
  scope: 'device',
  parse: (stored, savedAt): TimestampedUnsentListingForm | undefined => {
    const { data } = unsentListingFormSchema.safeParse(stored);
    return data && { ...data, savedAt };
  },
});

export const findUnsentListingForm = ({ ownerId, listingId = newListingId }: ListingFormKey) =>
  unsentForms.find(ownerId, listingId);

/** Saves a form. Returns whether it is stored on the device; if not, it is kept in this tab only. */
export const storeUnsentListingForm = (
  { ownerId, listingId = newListingId }: ListingFormKey,
  saved: UnsentListingForm,
): boolean => unsentForms.save(ownerId, saved, listingId);

/** Returns whether this device has stored the text and the photos of a form. */
export const isStoredOnDevice = async (key: ListingFormKey, unsent: UnsentListingForm): Promise<boolean> => {
  if (!storeUnsentListingForm(key, unsent)) return false;
  const missing = unsent.photos.filter(({ url }) => url === null);
  const areOnDevice = await Promise.all(missing.map(({ id }) => isFileOnDevice(key.ownerId, id)));
  return !areOnDevice.includes(false);
};

/**
 * Removes the saved content of the form with this client id. If another tab has replaced it with the
 * content of a different form, keeps that.
 */
export const removeUnsentListingForm = (key: ListingFormKey, clientId: string): void => {
  if (findUnsentListingForm(key)?.client_id === clientId)
    unsentForms.remove(key.ownerId, key.listingId ?? newListingId);
};

/**
 * Removes the saved content of a form and the files of its uploaded photos, after the server has
 * stored the listing.
 */
export const removeUnsentListingFormAndFiles = (
  key: ListingFormKey,
  clientId: string,
  photos: readonly PhotoItem[],
): void => {
  removeUnsentListingForm(key, clientId);
  const uploaded = photos.filter(({ url }) => url !== null);
  void removeFiles(
    key.ownerId,
    uploaded.map(({ id }) => id),
  );
};

/** An unfinished form, restored from this device and ready to be displayed. */
export interface RestoredListingForm {
  clientId: string;
  values: ListingFormValues;
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
  { id, url }: UnsentListingForm['photos'][number],
  listing: OwnListing | undefined,
): Promise<PhotoItem | undefined> => {
  if (url && listing?.photos.includes(url)) return toPhotoItem(url, listing);
  const [isStored, file] = await Promise.all([url !== null && isPhotoOnServer(url), findFile(ownerId, id)]);
  const preview = file ? URL.createObjectURL(file) : url;
  if (url && preview && isStored) return { ...toPhotoItem(url), id, preview, file: file ?? null };
  if (!file || !preview) return undefined;
  return { id, preview, url: null, uploading: true, progress: 0, error: null, file, isSavedOnDevice: true };
};

/**
 * Restores a form. Checks whether its uploaded photos still exist, and loads the files of photos
 * that must be uploaded again. Returns a new client id if another tab has posted or discarded the form meanwhile.
 */
export const restoreListingForm = async (
  ownerId: string,
  saved: UnsentListingForm,
  listing: OwnListing | undefined,
): Promise<RestoredListingForm> => {
  const items = await Promise.all(saved.photos.map((photo) => restorePhoto(ownerId, photo, listing)));
  const isStillSaved = findUnsentListingForm({ ownerId, listingId: listing?.id }) !== undefined;
  return {
    clientId: isStillSaved ? saved.client_id : createUuid(),
    values: saved.values,
    items: items.filter((item) => item !== undefined),
    lostPhotos: saved.photos.flatMap(({ file_name }, index) =>
      items[index] ? [] : [file_name || `Photo ${index + 1}`],
    ),
  };
};

let interruptedForm: ListingFormKey | undefined;

/**
 * Remembers which form was open when the session ended, so that the form continues when the same account
 * logs in again.
 */
export const setInterruptedForm = (key: ListingFormKey | undefined): void => {
  interruptedForm = key;
};

export const isInterruptedForm = ({ ownerId, listingId }: ListingFormKey): boolean =>
  interruptedForm?.ownerId === ownerId && interruptedForm.listingId === listingId;

export interface UnsentListingOptions {
  key: ListingFormKey;
  clientId: string;
  /** The listing as the server has it, or undefined for a new one. */
  stored: OwnListing | undefined;
  /** The stored listing's form values, or those of a blank form. */
  storedValues: ListingFormValues;
  values: ListingFormValues;
  items: readonly PhotoItem[];
}

/**
 * Saves the unsent content of a listing form on this device after every change, and removes it when
 * nothing is left to send. If the device cannot store everything, the browser asks for confirmation
 * before it closes the page.
 */
export const useUnsentListing = ({
  key: { ownerId, listingId },
  clientId,
  stored,
  storedValues,
  values,
  items,
}: UnsentListingOptions): {
  hasChanges: RefObject<boolean>;
  isUnchanged: boolean;
  isSavedOnDevice: boolean;
} => {
  const [isTextStored, setIsTextStored] = useState(false);
  const storedPhotos = stored?.photos ?? [];
  const hasChangesNow =
    listingFieldOrder.some((name) => values[name] !== storedValues[name]) ||
    items.length !== storedPhotos.length ||
    items.some(({ url }, index) => url !== storedPhotos[index]);
  const unsent: UnsentListingForm | undefined = hasChangesNow
    ? {
        client_id: clientId,
        based_on: stored?.updated_at ?? null,
        values,
        photos: items.map(({ id, url, file }) => ({ id, url, file_name: file?.name ?? '' })),
      }
    : undefined;

  // `unsent` is a new object in every render, so the effect depends on its serialized content.
  const content = unsent && JSON.stringify(unsent);
  useEffect(() => {
    const key = { ownerId, listingId };
    if (content) setIsTextStored(storeUnsentListingForm(key, JSON.parse(content)));
    else {
      removeUnsentListingForm(key, clientId);
      setIsTextStored(false);
    }
  }, [ownerId, listingId, clientId, content]);

  const hasUnstoredPhotos = items.some((item) => item.file && !item.url && !item.isSavedOnDevice);
  const isSavedOnDevice = hasChangesNow && isTextStored && !hasUnstoredPhotos;
  const isAtRisk = hasChangesNow && !isSavedOnDevice;
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isAtRisk]);

  const hasChanges = useRef(hasChangesNow);
  useEffect(() => {
    hasChanges.current = hasChangesNow;
  }, [hasChangesNow]);

  useEffect(
    () => () => {
      if (getSessionSnapshot().isAuthenticated || hasLoggedOut() || !hasChanges.current) return;
      setInterruptedForm({ ownerId, listingId });
      toast.error(
        'You were logged out',
        'Log in to continue your listing. What you typed is saved.',
        undefined,
        sessionEndToastGroup,
      );
    },
    [ownerId, listingId],
  );

  return { hasChanges, isUnchanged: !hasChangesNow, isSavedOnDevice };
};
