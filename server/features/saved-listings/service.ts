import { type Campus, toCampusDay } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { maxSavedListings, savedListingPageSize } from '#contract/paging.ts';
import type { SavedListing, SavedListingIds, SavedListingPage } from '#contract/saved-listings.ts';
import { soldListingPageDays } from '#contract/selling.ts';
import { addSeconds, type Clock, dayInSeconds } from '#server/platform/clock.ts';
import { buildJsonArray, buildJsonObject, type JsonText, toJson } from '#server/platform/json/json-text.ts';
import { decodeListCursor, encodeListCursor } from '#server/platform/list-position.ts';
import { runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

const presentSavedListing = (row: repository.SavedListingRow): JsonText<SavedListing> =>
  buildJsonObject({
    listing_id: toJson(row.listing_id),
    saved_at: toJson(row.saved_at.toISOString()),
    saved_title: toJson(row.title),
    saved_price: toJson(row.price),
    saved_rental_period: toJson(row.rental_period),
    status: toJson(row.status),
    listing: row.card ?? toJson(null),
  });

/** Creates the service for the listings that a person saved. */
export const createSavedListingService = ({
  sql,
  clock,
  campus,
}: {
  sql: Sql;
  clock: Clock;
  campus: Campus;
}) => {
  const getSoldAfter = (): Date => addSeconds(clock.now(), -soldListingPageDays * dayInSeconds);

  return {
    /**
     * Returns a page of saved listings, most recently saved first, with the number of all saved listings and of
     * unavailable ones.
     */
    list: async (userId: string, cursor: string | undefined): Promise<JsonText<SavedListingPage>> => {
      const after = decodeListCursor(cursor);
      const [rows, { total, unavailable }] = await Promise.all([
        repository.listSavedListings(sql, {
          userId,
          after,
          soldAfter: getSoldAfter(),
          limit: savedListingPageSize + 1,
          today: toCampusDay(campus, clock.now()),
        }),
        repository.countSavedListings(sql, userId),
      ]);
      const items = rows.slice(0, savedListingPageSize);
      const last = rows.length > savedListingPageSize ? items.at(-1) : undefined;
      return buildJsonObject({
        items: buildJsonArray(items.map(presentSavedListing)),
        total: toJson(total),
        unavailable_total: toJson(unavailable),
        next_cursor: toJson(last ? encodeListCursor({ time: last.position, id: last.listing_id }) : null),
      });
    },

    listIds: async (userId: string): Promise<SavedListingIds> => ({
      listing_ids: await repository.listSavedListingIds(sql, userId),
    }),

    /**
     * Saves a listing. Does nothing when it is already saved. Throws listing_not_found when the listing has no public
     * page, own_listing when it belongs to the caller, and saved_listings_full when the caller has saved the maximum
     * number of listings.
     */
    save: (userId: string, listingId: string): Promise<void> =>
      runInTransaction(sql, async (tx) => {
        // Lock listings before people, in the same order as account deletion.
        const [listing] = await repository.lockVisibleListings(tx, [listingId], getSoldAfter());
        if (!(await repository.lockPerson(tx, userId))) throw createProblem('not_authenticated');
        if (await repository.isListingSaved(tx, userId, listingId)) return;
        if (!listing) throw createProblem('listing_not_found');
        if (listing.user_id === userId) throw createProblem('own_listing');
        const saved = await repository.insertSavedListings(tx, {
          userId,
          ids: [listingId],
          limit: maxSavedListings,
          now: clock.now(),
        });
        if (saved === 0) throw createProblem('saved_listings_full');
      }),

    /**
     * Saves the given listings in their order, skipping those that cannot be saved, until the limit
     * is reached. Returns the ids of all listings that the person has saved.
     */
    saveAll: (userId: string, listingIds: readonly string[]): Promise<SavedListingIds> =>
      runInTransaction(sql, async (tx) => {
        const visible = await repository.lockVisibleListings(tx, listingIds, getSoldAfter());
        if (!(await repository.lockPerson(tx, userId))) throw createProblem('not_authenticated');
        const others = new Set(visible.filter((it) => it.user_id !== userId).map(({ id }) => id));
        const ids = [...new Set(listingIds)].filter((id) => others.has(id));
        await repository.insertSavedListings(tx, { userId, ids, limit: maxSavedListings, now: clock.now() });
        return { listing_ids: await repository.listSavedListingIds(tx, userId) };
      }),

    remove: (userId: string, listingId: string): Promise<void> =>
      repository.deleteSavedListing(sql, userId, listingId),

    removeUnavailable: (userId: string): Promise<void> =>
      repository.deleteUnavailableSavedListings(sql, userId),
  };
};

export type SavedListingService = ReturnType<typeof createSavedListingService>;
