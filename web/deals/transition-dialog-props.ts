import type { ReactNode } from 'react';
import type { Deal } from '#contract/deals.ts';

/** What the dialogs of a deal show about its listing. */
export interface ListingOfDeal {
  slug: string;
  price: number | null;
}

export interface TransitionDialogProps {
  deal: Deal;
  ownId: string;
  otherName: string;
  /** The deal's listing, if it has a page. */
  listing?: ListingOfDeal | null | undefined;
  /** The button that shows the photos of the condition of a rented item, where there is one. */
  photosButton?: ReactNode;
  onClose: () => void;
}
