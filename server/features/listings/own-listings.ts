import { toCampusDay } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { isPassedGame } from '#contract/game-days.ts';
import type { OwnListingPage, OwnListingQuery } from '#contract/listing-queries.ts';
import type { OwnListing } from '#contract/listings.ts';
import type { App } from '#server/app.ts';
import { invalidateListingPages } from '#server/pages/public.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { type OwnedListing, presentOwnListing } from './listing-row.ts';
import { lockAndCheckFormerMember, lockAndCheckSuspension } from './moderation-repository.ts';
import { asOwnedListing, isPaused } from './policy.ts';
import * as repository from './repository.ts';
import { decodeCursor, encodeCursor } from './sorts.ts';

/** Returns the current date on the campus, YYYY-MM-DD, with the time zone that it belongs to. */
export const getCampusDay = ({ clock, config: { campus } }: App): { today: string; timezone: string } => ({
  today: toCampusDay(campus, clock.now()),
  timezone: campus.timezone,
});

/** Returns the person's listing. Throws listing_not_found when the person has no such listing. */
export const getOwnListing = async (app: App, userId: string, id: string): Promise<OwnListing> => {
  const row = await repository.findOwnListing(app.sql, { userId, id, ...getCampusDay(app) });
  if (!row) throw createProblem('listing_not_found');
  return presentOwnListing(row);
};

/** Returns a page of the person's listings, newest first, with the number of listings in each tab. */
export const listOwnListings = async (
  app: App,
  userId: string,
  { cursor, ...wanted }: OwnListingQuery,
): Promise<OwnListingPage> => {
  const after = cursor === undefined ? undefined : decodeCursor('newest', cursor);
  const { items, counts, end } = await repository.listOwnListings(app.sql, {
    userId,
    ...wanted,
    after,
    ...getCampusDay(app),
  });
  return {
    items: items.map(presentOwnListing),
    counts,
    next_cursor: end ? encodeCursor('newest', end) : null,
  };
};

/**
 * Returns the person's listing, locked until the transaction ends. A listing whose game has passed ends, as its owner
 * sees it, if no job has ended it yet. Throws listing_not_found when the person has no such listing.
 */
export const lockOwnedListing = async (
  app: App,
  tx: Queryable,
  userId: string,
  id: string,
): Promise<OwnedListing> => {
  const listing = asOwnedListing(await repository.findAndLockListing(tx, id), userId);
  if (!listing) throw createProblem('listing_not_found');
  const day = getCampusDay(app);
  const canEnd = listing.status === 'published' ? !listing.is_on_hold : isPaused(listing);
  if (!canEnd || !isPassedGame(listing, day.today)) return listing;
  await repository.endListing(tx, listing, { ...day, now: app.clock.now() });
  return lockOwnedListing(app, tx, userId, id);
};

/** Number of listings that one transaction makes drafts. */
const endedPerTransaction = 100;

/**
 * Makes the listings whose games have passed drafts, so that the indexes of lists no longer contain them. Nothing that
 * people see depends on it, because every read compares the date.
 */
export const endPassedListings = async (app: App): Promise<void> => {
  const end = () =>
    runInTransaction(app.sql, (tx) =>
      repository.endPassedListings(tx, { ...getCampusDay(app), now: app.clock.now() }, endedPerTransaction),
    );
  while ((await end()) === endedPerTransaction);
};

/** Throws when the person is suspended. A suspension that begins now also hides what this transaction publishes. */
export const assertNotSuspended = async (tx: Queryable, userId: string): Promise<void> => {
  if (await lockAndCheckSuspension(tx, userId)) throw createProblem('not_authenticated');
};

/** Throws when the person is suspended, or only members of the campus may sell and the person no longer is one. */
export const assertMayPublish = async ({ config }: App, tx: Queryable, userId: string): Promise<void> => {
  await assertNotSuspended(tx, userId);
  if (config.campusOnly && (await lockAndCheckFormerMember(tx, userId)))
    throw createProblem('membership_ended');
};

/**
 * Invalidates the pages that show a listing in any of these states. Call it after the commit. A draft appears on no page,
 * unless it ended or was paused.
 */
export const invalidatePagesWithListing = async (
  app: App,
  id: string,
  ...states: (
    | (Pick<OwnedListing, 'status' | 'category'> & Partial<Pick<OwnedListing, 'ended_at' | 'paused_at'>>)
    | undefined
  )[]
): Promise<void> => {
  const shown = states.filter(
    (state) => state && (['published', 'sold'].includes(state.status) || state.ended_at || state.paused_at),
  );
  if (shown.length === 0) return;
  await invalidateListingPages(
    app,
    id,
    shown.flatMap((state) => state?.category ?? []),
  );
};
