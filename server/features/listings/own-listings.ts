import { toCampusDay } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { OwnListingPage, OwnListingQuery } from '#contract/listing-queries.ts';
import type { OwnListing } from '#contract/listings.ts';
import type { App } from '#server/app.ts';
import { invalidateListingPages } from '#server/pages/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type OwnedListing, presentOwnListing } from './listing-row.ts';
import { lockAndCheckSuspension } from './moderation-repository.ts';
import { asOwnedListing } from './policy.ts';
import * as repository from './repository.ts';
import { decodeCursor, encodeCursor } from './sorts.ts';

/** Returns the person's listing. Throws listing_not_found when the person has no such listing. */
export const getOwnListing = async (
  { sql, clock, config }: App,
  userId: string,
  id: string,
): Promise<OwnListing> => {
  const today = toCampusDay(config.campus, clock.now());
  const row = await repository.findOwnListing(sql, { userId, id, today });
  if (!row) throw createProblem('listing_not_found');
  return presentOwnListing(row);
};

/** Returns a page of the person's listings, newest first, with the number of listings in each tab. */
export const listOwnListings = async (
  { sql, clock, config }: App,
  userId: string,
  { cursor, ...wanted }: OwnListingQuery,
): Promise<OwnListingPage> => {
  const after = cursor === undefined ? undefined : decodeCursor('newest', cursor);
  const { items, counts, end } = await repository.listOwnListings(sql, {
    userId,
    ...wanted,
    after,
    today: toCampusDay(config.campus, clock.now()),
  });
  return {
    items: items.map(presentOwnListing),
    counts,
    next_cursor: end ? encodeCursor('newest', end) : null,
  };
};

/**
 * Returns the person's listing, locked until the transaction ends. Throws listing_not_found when the person has no such
 * listing.
 */
export const lockOwnedListing = async (tx: Queryable, userId: string, id: string): Promise<OwnedListing> => {
  const listing = asOwnedListing(await repository.findAndLockListing(tx, id), userId);
  if (!listing) throw createProblem('listing_not_found');
  return listing;
};

/** Throws when the person is suspended. A suspension that begins now also hides what this transaction publishes. */
export const assertNotSuspended = async (tx: Queryable, userId: string): Promise<void> => {
  if (await lockAndCheckSuspension(tx, userId)) throw createProblem('not_authenticated');
};

/**
 * Invalidates the pages that show a listing in any of these states. Call it after the commit. A listing that was a draft
 * before and after the change appears on no page.
 */
export const invalidatePagesWithListing = async (
  app: App,
  id: string,
  ...states: (Pick<OwnedListing, 'status' | 'category'> | undefined)[]
): Promise<void> => {
  const shown = states.filter((state) => state?.status === 'published' || state?.status === 'sold');
  if (shown.length === 0) return;
  await invalidateListingPages(
    app,
    id,
    shown.flatMap((state) => state?.category ?? []),
  );
};
