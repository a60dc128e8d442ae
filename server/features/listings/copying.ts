import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { copyPhotoFiles, insertPhotoCopies } from '#server/features/photos/public.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { type ListingRow, toListingContent } from './listing-row.ts';
import { getCampusDay, lockOwnedListing } from './own-listings.ts';
import { canCopyListing } from './policy.ts';
import * as repository from './repository.ts';
import { insertWithSlug } from './saving.ts';

/**
 * Returns the id of the draft that was copied from a listing earlier and not published yet, or undefined when there is
 * none. Throws listing_not_ended when the listing cannot be copied.
 */
const findEarlierCopy = (sql: Queryable, listing: ListingRow): Promise<string | undefined> => {
  if (!canCopyListing(listing)) throw createProblem('listing_not_ended');
  return repository.findDraftCopy(sql, { userId: listing.user_id, copiedFrom: listing.id });
};

/**
 * Creates a draft with the content of one of the person's listings that ended, with photos of its own. Until the draft is
 * published, another call returns the same draft. Returns its id.
 */
export const copyOwnListing = async (app: App, userId: string, id: string): Promise<string> => {
  const { sql } = app;
  const original = await repository.findOwnListing(sql, { userId, id, ...getCampusDay(app) });
  if (!original) throw createProblem('listing_not_found');
  const earlier = await findEarlierCopy(sql, original);
  if (earlier) return earlier;
  // Copy the files first, because that may take seconds. If the transaction fails, they are removed as orphans.
  const copies = await copyPhotoFiles(app, userId, original.photos);
  return runInTransaction(sql, async (tx) => {
    await repository.lockListingChanges(tx, userId);
    const listing = await lockOwnedListing(app, tx, userId, id);
    const created = await findEarlierCopy(tx, listing);
    if (created) return created;
    const photos = await insertPhotoCopies(app, tx, userId, copies);
    const content = { ...toListingContent(listing), gameDate: null, photos };
    return insertWithSlug(app, tx, { userId, clientId: null, content, status: 'draft', copiedFrom: id });
  });
};
