import type { OwnListing } from '#contract/listings.ts';
import { toast } from '#web/ui/toast.ts';

/** Tells the owner in a toast, which may have a group, that the listing is checked before it is published. */
export const showHeldForReviewToast = (group?: string): void =>
  toast.message("We're checking your listing", 'Only you can see it until we’re done.', undefined, group);

/**
 * Tells the owner in a toast that the listing is published. `before` is the listing before the change, or
 * undefined for a new listing. If the listing had been published before, the toast's title is `laterTitle`.
 */
export const showPublicationToast = (before: OwnListing | undefined, laterTitle: string): void => {
  if (before?.published_at) toast.success(laterTitle);
  else toast.success('Ad posted', 'Your listing is published.');
};
