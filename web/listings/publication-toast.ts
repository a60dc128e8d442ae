import type { OwnListing } from '#contract/listings.ts';
import { toast } from '#web/ui/toast.ts';

/** Shows a toast that a listing is checked before it is published. */
export const showReviewToast = (): void =>
  toast.message("We're checking your listing", 'Only you can see it until then.');

/**
 * Shows a toast that a listing is published. `before` is the listing before the change; undefined
 * for a new listing. The first publication has the same title on every screen; `laterTitle` is the
 * title for any later one.
 */
export const showPublicationToast = (before: OwnListing | undefined, laterTitle: string): void => {
  if (before?.published_at) toast.success(laterTitle);
  else toast.success('Ad posted', 'Your listing is published.');
};
