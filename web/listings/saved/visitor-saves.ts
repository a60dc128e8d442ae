import { savedListingsFullMessage } from '#contract/limit-messages.ts';
import { maxSavedListings } from '#contract/paging.ts';
import { createListeners } from '#web/lib/listeners.ts';
import { readBrowserList, writeBrowserText } from '#web/lib/stored-values.ts';
import { reportSaveFailure, withSavedId } from './saving.ts';

const { subscribe, notify } = createListeners('storage');

/**
 * Returns the ids of the listings that were saved in this browser while nobody was signed in, latest save
 * first.
 */
export const readVisitorSaves = (): string[] => readBrowserList('quad.saved-listings');

/** Forgets the listings that were saved in this browser while nobody was signed in. */
export const forgetVisitorSaves = (): void => void writeBrowserText('quad.saved-listings', null);

/**
 * Calls `onChange` with whether a listing is saved in this browser, now and after every change in any tab. Returns an
 * unsubscribe function.
 */
export const watchSaved = (listingId: string, onChange: (isSaved: boolean) => void): (() => void) => {
  const report = (): void => onChange(readVisitorSaves().includes(listingId));
  report();
  return subscribe(report);
};

/** Saves a listing in this browser, or removes it. Returns whether that succeeded; otherwise a toast says why. */
export const setSaved = async (listingId: string, isSaved: boolean): Promise<boolean> => {
  const before = readVisitorSaves();
  const ids = withSavedId(before, listingId, isSaved);
  if (ids.length > maxSavedListings) {
    reportSaveFailure(true, savedListingsFullMessage);
    return false;
  }
  if (!writeBrowserText('quad.saved-listings', JSON.stringify(ids))) {
    writeBrowserText('quad.saved-listings', JSON.stringify(before));
    reportSaveFailure(isSaved, 'This browser cannot store it. Please log in to save listings.');
    return false;
  }
  notify();
  return true;
};
