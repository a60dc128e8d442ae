import { toCampusDay } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { maxSavedListings, savedListingPageSize } from '#contract/paging.ts';
import type { SavedListing, SavedListingIds, SavedListingPage } from '#contract/saved-listings.ts';
import { soldListingPageDays } from '#contract/selling.ts';
import type { App } from '#server/app.ts';
import type { PageTimes } from '#server/features/listing-visibility/sql.ts';
import { presentListingCard } from '#server/features/listings/sql.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { decodeListCursor, encodeListCursor } from '#server/platform/list-position.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

const presentSavedListing = (row: repository.SavedListingRow): SavedListing => ({
  listing_id: row.listing_id,
  saved_at: row.saved_at.toISOString(),
  saved_title: row.saved_title,
  saved_price: row.saved_price,
  saved_rental_period: row.saved_rental_period,
  status: row.status,
  unavailable: row.unavailable,
  listing: row.status === 'unavailable' ? null : presentListingCard(row),
});

const getToday = ({ clock, config }: App): string => toCampusDay(config.campus, clock.now());

const getPageTimes = (app: App): PageTimes => ({
  soldAfter: addSeconds(app.clock.now(), -soldListingPageDays * dayInSeconds),
  today: getToday(app),
});

/**
 * Returns a page of saved listings, most recently saved first, with the number of all saved listings and of
 * unavailable ones.
 */
export const listSavedListings = async (
  app: App,
  userId: string,
  cursor: string | undefined,
): Promise<SavedListingPage> => {
  const { sql } = app;
  const after = decodeListCursor(cursor);
  const [rows, { total, unavailable }] = await Promise.all([
    repository.listSavedListings(sql, {
      userId,
      after,
      limit: savedListingPageSize + 1,
      ...getPageTimes(app),
    }),
    repository.countSavedListings(sql, { userId, today: getToday(app) }),
  ]);
  const items = rows.slice(0, savedListingPageSize);
  const last = rows.length > savedListingPageSize ? items.at(-1) : undefined;
  return {
    items: items.map(presentSavedListing),
    total,
    unavailable_total: unavailable,
    next_cursor: last ? encodeListCursor({ time: last.position, id: last.listing_id }) : null,
  };
};

export const listSavedListingIds = async ({ sql }: App, userId: string): Promise<SavedListingIds> => ({
  listing_ids: await repository.listSavedListingIds(sql, userId),
});

/**
 * Saves a listing. Does nothing when it is already saved. Throws listing_not_found when the listing has no public
 * page, own_listing when it belongs to the caller, and saved_listings_full when the caller has saved the maximum
 * number of listings.
 */
export const saveListing = (app: App, userId: string, listingId: string): Promise<void> =>
  runInTransaction(app.sql, async (tx) => {
    // Lock listings before people, in the same order as account deletion.
    const [listing] = await repository.lockVisibleListings(tx, [listingId], getPageTimes(app));
    if (!(await repository.lockPerson(tx, userId))) throw createProblem('not_authenticated');
    if (await repository.isListingSaved(tx, userId, listingId)) return;
    if (!listing) throw createProblem('listing_not_found');
    if (listing.user_id === userId) throw createProblem('own_listing');
    const saved = await repository.insertSavedListings(tx, {
      userId,
      ids: [listingId],
      limit: maxSavedListings,
      now: app.clock.now(),
    });
    if (saved === 0) throw createProblem('saved_listings_full');
  });

/**
 * Saves the given listings in their order, skipping those that cannot be saved, until the limit
 * is reached. Returns the ids of all listings that the person has saved.
 */
export const saveListings = (
  app: App,
  userId: string,
  listingIds: readonly string[],
): Promise<SavedListingIds> =>
  runInTransaction(app.sql, async (tx) => {
    const visible = await repository.lockVisibleListings(tx, listingIds, getPageTimes(app));
    if (!(await repository.lockPerson(tx, userId))) throw createProblem('not_authenticated');
    const others = new Set(visible.filter((it) => it.user_id !== userId).map(({ id }) => id));
    const ids = [...new Set(listingIds)].filter((id) => others.has(id));
    const now = app.clock.now();
    await repository.insertSavedListings(tx, { userId, ids, limit: maxSavedListings, now });
    return { listing_ids: await repository.listSavedListingIds(tx, userId) };
  });

export const removeSavedListing = ({ sql }: App, userId: string, listingId: string): Promise<void> =>
  repository.deleteSavedListing(sql, userId, listingId);

/** Removes the listings that are no longer available from those that a person has saved. */
export const removeUnavailableListings = (app: App, userId: string): Promise<void> =>
  repository.deleteUnavailableSavedListings(app.sql, { userId, today: getToday(app) });
