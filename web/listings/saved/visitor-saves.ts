import { savedListingsFullMessage } from '#contract/limit-messages.ts';
import { maxSavedListings } from '#contract/paging.ts';
import { reportSaveFailure, withSavedId } from './saving.ts';

const storageKey = 'quad.saved-listings';
const listeners = new Set<() => void>();

/**
 * Returns the ids of the listings that were saved in this browser while nobody was signed in, latest save
 * first.
 */
export const readVisitorSaves = (): string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
};

/** Forgets the listings that were saved in this browser while nobody was signed in. */
export const forgetVisitorSaves = (): void => {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // If storage is blocked, it contains nothing to delete.
  }
};

/**
 * Calls `onChange` with whether a listing is saved in this browser, now and after every change in any tab. Returns an
 * unsubscribe function.
 */
export const watchSaved = (listingId: string, onChange: (isSaved: boolean) => void): (() => void) => {
  const report = (): void => onChange(readVisitorSaves().includes(listingId));
  report();
  listeners.add(report);
  window.addEventListener('storage', report);
  return () => {
    listeners.delete(report);
    window.removeEventListener('storage', report);
  };
};

/** Saves a listing in this browser, or removes it. Returns whether that succeeded; otherwise a toast says why. */
export const setSaved = async (listingId: string, isSaved: boolean): Promise<boolean> => {
  const ids = withSavedId(readVisitorSaves(), listingId, isSaved);
  if (ids.length > maxSavedListings) {
    reportSaveFailure(true, savedListingsFullMessage);
    return false;
  }
  try {
    localStorage.setItem(storageKey, JSON.stringify(ids));
  } catch {
    reportSaveFailure(isSaved, 'This browser cannot store it. Please log in to save listings.');
    return false;
  }
  for (const listener of listeners) listener();
  return true;
};
