import { type RefObject, useEffect, useRef, useState } from 'react';
import type { OwnListing } from '#contract/listings.ts';
import { getSessionView, hasLoggedOut } from '#web/lib/session.ts';
import { toast } from '#web/ui/toast.ts';
import { setInterruptedForm } from './interrupted-form.ts';
import type { PhotoItem } from './photo-items.ts';
import { type FormKey, removeSavedListing, type SavedListing, storeSavedListing } from './saved-listing.ts';
import { type ListingValues, listingFieldOrder } from './submission.ts';

export interface UnsentListingOptions {
  key: FormKey;
  clientId: string;
  /** The listing as the server has it; undefined for a new one. */
  stored: OwnListing | undefined;
  /** The stored listing's form values, or those of a blank form. */
  storedValues: ListingValues;
  values: ListingValues;
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
}: UnsentListingOptions): { hasChanges: RefObject<boolean>; isSavedOnDevice: boolean } => {
  const [isTextStored, setIsTextStored] = useState(false);
  const storedPhotos = stored?.photos ?? [];
  const hasChangesNow =
    listingFieldOrder.some((name) => values[name] !== storedValues[name]) ||
    items.length !== storedPhotos.length ||
    items.some(({ url }, index) => url !== storedPhotos[index]);
  const unsent: SavedListing | undefined = hasChangesNow
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
    if (content) setIsTextStored(storeSavedListing(key, JSON.parse(content)));
    else {
      removeSavedListing(key, clientId);
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
      if (getSessionView().isAuthenticated || hasLoggedOut() || !hasChanges.current) return;
      setInterruptedForm({ ownerId, listingId });
      toast.error('You were logged out', 'Log in to continue your listing. What you typed is saved.');
    },
    [ownerId, listingId],
  );

  return { hasChanges, isSavedOnDevice };
};
