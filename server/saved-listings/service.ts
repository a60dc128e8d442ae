import { createProblem } from '#contract/errors.ts';
import { maxSavedListings, savedListingPageSize } from '#contract/paging.ts';
import type { SavedIds, SavedListing, SavedListingPage } from '#contract/saved-listings.ts';
import { soldPageDays } from '#contract/selling.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import { buildJsonArray, buildJsonObject, type JsonText, toJson } from '#server/platform/json/json-text.ts';
import { decodePosition, encodePosition } from '#server/platform/page-position.ts';
import { runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

const dayInSeconds = 24 * 3600;

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
export const createSavedListingService = ({ sql, clock }: { sql: Sql; clock: Clock }) => {
  const getSoldAfter = (): Date => addSeconds(clock.now(), -soldPageDays * dayInSeconds);

  return {
    /** Returns a page of saved listings, the latest saves first, with the number of all and of those that are gone. */
    list: async (userId: string, cursor: string | undefined): Promise<JsonText<SavedListingPage>> => {
      const after = decodePosition(cursor);
      const [rows, { total, unavailable }] = await Promise.all([
        repository.listSavedListings(sql, {
          userId,
          after,
          soldAfter: getSoldAfter(),
          limit: savedListingPageSize + 1,
        }),
        repository.countSavedListings(sql, userId),
      ]);
      const items = rows.slice(0, savedListingPageSize);
      const last = rows.length > savedListingPageSize ? items.at(-1) : undefined;
      return buildJsonObject({
        items: buildJsonArray(items.map(presentSavedListing)),
        total: toJson(total),
        unavailable_total: toJson(unavailable),
        next_cursor: toJson(last ? encodePosition({ time: last.position, id: last.listing_id }) : null),
      });
    },

    listIds: async (userId: string): Promise<SavedIds> => ({
      listing_ids: await repository.listSavedIds(sql, userId),
    }),

    /**
     * Saves a listing; nothing changes when it is saved already. Throws listing_not_found when it has no page,
     * own_listing for the caller's own one, and saved_listings_full.
     */
    save: (userId: string, listingId: string): Promise<void> =>
      runInTransaction(sql, async (tx) => {
        // Listings are locked before people, as account deletion does.
        const [listing] = await repository.lockVisibleListings(tx, [listingId], getSoldAfter());
        if (!(await repository.lockPerson(tx, userId))) throw createProblem('not_authenticated');
        if (await repository.isSaved(tx, userId, listingId)) return;
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
     * Saves those of the listings that can be saved, in their order, as long as there is room. Returns the ids of
     * everything that the person has saved.
     */
    saveAll: (userId: string, listingIds: readonly string[]): Promise<SavedIds> =>
      runInTransaction(sql, async (tx) => {
        const visible = await repository.lockVisibleListings(tx, listingIds, getSoldAfter());
        if (!(await repository.lockPerson(tx, userId))) throw createProblem('not_authenticated');
        const others = new Set(visible.filter((it) => it.user_id !== userId).map(({ id }) => id));
        const ids = [...new Set(listingIds)].filter((id) => others.has(id));
        await repository.insertSavedListings(tx, { userId, ids, limit: maxSavedListings, now: clock.now() });
        return { listing_ids: await repository.listSavedIds(tx, userId) };
      }),

    remove: (userId: string, listingId: string): Promise<void> =>
      repository.deleteSavedListing(sql, userId, listingId),

    removeUnavailable: (userId: string): Promise<void> => repository.deleteUnavailableListings(sql, userId),
  };
};

export type SavedListingService = ReturnType<typeof createSavedListingService>;
