import type { ListingFormValues } from './post/submission.ts';

/** A listing that its owner has just published from its form. */
export interface JustPublishedListing {
  slug: string;
  title: string;
  /** The values with which the form of another listing begins. */
  keptValues: Partial<ListingFormValues>;
}

// Not React state, because the screen changes; a reload forgets it.
let published: JustPublishedListing | undefined;

/** Remembers a listing, so that its page offers what comes next. Without an argument, forgets it. */
export const setJustPublishedListing = (listing?: JustPublishedListing): void => {
  published = listing;
};

export const findJustPublishedListing = (slug: string): JustPublishedListing | undefined =>
  published?.slug === slug ? published : undefined;
