import { toast } from '#web/ui/toast.ts';

/** Returns the ids of saved listings, latest first, with one listing added or removed. */
export const withSavedId = (ids: readonly string[], listingId: string, isSaved: boolean): string[] => {
  const others = ids.filter((id) => id !== listingId);
  return isSaved ? [listingId, ...others] : others;
};

/** Shows a toast that says that a listing could not be saved or removed, and why. */
export const reportSaveFailure = (isSaved: boolean, reason: string | undefined): void =>
  toast.error(isSaved ? 'Failed to save listing' : 'Failed to remove saved listing', reason);
