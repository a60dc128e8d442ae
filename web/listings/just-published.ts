import type { ListingFormValues } from './post/submission.ts';

/** What the form of another listing of the same seller begins with, as the state of its history entry. */
export interface NextListing {
  ownerId: string;
  keptValues: Partial<ListingFormValues>;
}

/** A listing that its owner has just published from its form. */
export interface JustPublishedListing {
  id: string;
  slug: string;
  title: string;
  next: NextListing;
}

// Not React state, because the screen changes; a reload forgets it.
let published: JustPublishedListing | undefined;

/** Remembers a listing, so that its page offers what comes next. Without an argument, forgets it. */
export const setJustPublishedListing = (listing?: JustPublishedListing): void => {
  published = listing;
};

export const findJustPublishedListing = (slug: string): JustPublishedListing | undefined =>
  published?.slug === slug ? published : undefined;
