import type { Deal } from '#contract/deals.ts';

export interface TransitionDialogProps {
  deal: Deal;
  ownId: string;
  otherName: string;
  /** Slug of the deal's listing, if it has a page. */
  listingSlug?: string | null | undefined;
  onClose: () => void;
}
