import type { FormKey } from './saved-listing.ts';

let interruptedForm: FormKey | undefined;

/**
 * Remembers which form was open when the session ended. The form continues after its account has
 * logged in again.
 */
export const setInterruptedForm = (key: FormKey | undefined): void => {
  interruptedForm = key;
};

export const isInterruptedForm = ({ ownerId, listingId }: FormKey): boolean =>
  interruptedForm?.ownerId === ownerId && interruptedForm.listingId === listingId;
