import { type Campus, toCampusDay } from '#contract/campus.ts';
import { createFieldProblem, createProblem, toFieldErrors } from '#contract/errors.ts';
import type { OwnListingPage, OwnListingQuery } from '#contract/listing-queries.ts';
import {
  createPublishedListingSchema,
  formatTakenDownMessage,
  type ListingStatus,
  type ListingSubmission,
  type MarkSoldBody,
  type OwnListing,
  type SettableListingStatus,
} from '#contract/listings.ts';
import { photoErrorMessages } from '#contract/photos.ts';
import type { PhotoService } from '#server/features/photos/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import type { SearchRunner } from '#server/platform/postgres/search-database.ts';
import type { DealsPort } from './deals-port.ts';
import { createListingDeletion } from './deletion.ts';
import {
  type ListingContent,
  makeSlug,
  type OwnedListing,
  presentOwnListing,
  toContentColumns,
  toListingContent,
  toSubmittedContent,
} from './listing-row.ts';
import { createMatchCountCache } from './match-count-cache.ts';
import type { ListingMatchingScheduler } from './matching-scheduler.ts';
import { lockAndCheckSuspension } from './moderation-repository.ts';
import { asOwnedListing, getDrawClosingTime } from './policy.ts';
import { publishWithSlug } from './publishing.ts';
import { createListingReadService } from './read-service.ts';
import * as repository from './repository.ts';
import { clearSale } from './sale-repository.ts';
import { createListingSaleService } from './sale-service.ts';
import { removeUnusedSearchWords } from './search-repository.ts';
import { decodeCursor, encodeCursor } from './sorts.ts';
import { createWordingCheck, type ListingSignalRecorder } from './wording-check.ts';

/**
 * Saving a new listing with the same content again within this time counts as a double click and creates no second
 * listing.
 */
const doubleClickSeconds = 10;

interface ListingsDeps {
  sql: Sql;
  runSearch: SearchRunner;
  clock: Clock;
  campus: Campus;
  photos: Pick<PhotoService, 'listOwned'>;
  invalidation: Pick<PageInvalidation, 'listingChanged'>;
  bus: Pick<Bus, 'subscribe'>;
  /** Queues files for reliable removal soon after the transaction commits. */
  removeFiles(tx: Queryable, urls: string[]): Promise<void>;
  /** The rules of deals that apply when an owner changes a listing. */
  deals: DealsPort;
  matching: ListingMatchingScheduler;
  openSignal: ListingSignalRecorder;
  /** Queues a run of `removeDeleted` for the time at which a listing that is deleted now can no longer be restored. */
  scheduleListingRemoval(tx: Queryable): Promise<void>;
  /** Announces to a person that their conversation about a listing as its buyer has changed. */
  announceChangeAbout(listingId: string, buyerId: string): Promise<void>;
}

/** Prevents a person's listings from being changed by other transactions until this transaction ends. */
export const lockListingChanges = (tx: Queryable, userId: string): Promise<void> =>
  repository.lockUserListings(tx, userId);

/** Creates the service for listings: changes by their owners, and public reads. */
export const createListingService = (deps: ListingsDeps) => {
  const { sql, clock, campus, photos, invalidation, bus, removeFiles, deals, matching } = deps;
  const matchCounts = createMatchCountCache({ bus, clock });
  const wording = createWordingCheck(deps);

  const getOwned = async (tx: Queryable, userId: string, id: string): Promise<OwnedListing> => {
    const listing = asOwnedListing(await repository.findAndLockListing(tx, id), userId);
    if (!listing) throw createProblem('listing_not_found');
    return listing;
  };

  const getMine = async (userId: string, id: string): Promise<OwnListing> => {
    const today = toCampusDay(campus, clock.now());
    const row = await repository.findOwnListing(sql, { userId, id, today });
    if (!row) throw createProblem('listing_not_found');
    return presentOwnListing(row);
  };

  /** Throws when the person is suspended. A suspension that begins now also hides what this transaction publishes. */
  const assertNotSuspended = async (tx: Queryable, userId: string): Promise<void> => {
    if (await lockAndCheckSuspension(tx, userId)) throw createProblem('not_authenticated');
  };

  const assertOwnPhotos = async (tx: Queryable, userId: string, urls: string[]): Promise<void> => {
    if (urls.length === 0) return;
    const owned = new Set(await photos.listOwned(userId, 'listing-photos', urls, tx));
    if (!urls.every((url) => owned.has(url)))
      throw createFieldProblem({ photos: photoErrorMessages.foreign });
  };

  const insertWithSlug = async (tx: Queryable, listing: repository.NewListing): Promise<string> => {
    const since = addSeconds(clock.now(), -doubleClickSeconds);
    const duplicate = await repository.findDuplicateListing(tx, { ...listing, since });
    if (duplicate) return duplicate;
    for (;;) {
      const slug = makeSlug(listing.content.title);
      const now = clock.now();
      const drawClosesAt = getDrawClosingTime(undefined, { ...listing, isClaimed: false }, now);
      const id = await repository.insertListing(tx, { ...listing, slug, drawClosesAt, now });
      if (!id) continue;
      if (listing.status === 'published') await matching.scheduleForPublished(tx, id);
      return id;
    }
  };

  const findDrawClosingTime = async (
    tx: Queryable,
    listing: OwnedListing,
    after: { content: ListingContent; status: ListingStatus },
  ): Promise<Date | null> => {
    const isClaimed = after.content.giftMode === 'draw' && (await deals.hasEverBeenClaimed(tx, listing.id));
    return getDrawClosingTime(listing, { ...after, isClaimed }, clock.now());
  };

  const assertNotTakenDown = (listing: OwnedListing): void => {
    if (!listing.hidden_at) return;
    const sentence = formatTakenDownMessage(listing.hidden_reason ?? '');
    throw createProblem('listing_taken_down', { sentence });
  };

  /**
   * Prepares a listing for publication or review. A moderator can make a sold listing a draft; its owner then lists it
   * again.
   */
  const listAgain = async (tx: Queryable, listing: OwnedListing): Promise<void> => {
    assertNotTakenDown(listing);
    if (!listing.sold_at || listing.rented_until) return;
    if (listing.sale_confirmed_at) throw createProblem('sale_confirmed');
    await clearSale(tx, listing);
  };

  const publish = async (
    tx: Queryable,
    listing: OwnedListing,
    { title, drawClosesAt }: { title: string | null; drawClosesAt: Date | null },
  ): Promise<void> => {
    await listAgain(tx, listing);
    if (listing.status !== 'published') await matching.scheduleForPublished(tx, listing.id);
    await publishWithSlug(tx, listing, { title, drawClosesAt, now: clock.now() });
  };

  /** Makes a listing a draft. Throws handover_unconfirmed while a handover is unconfirmed. */
  const unpublish = async (tx: Queryable, listing: OwnedListing): Promise<void> => {
    await deals.assertNotHandedOver(tx, { listingId: listing.id });
    await repository.unpublishListing(tx, listing, clock.now());
    // Deals stay open if the owner publishes the listing again before they are settled. Then their parties are told how
    // it differs from what was public before.
    if (listing.status === 'published') await deals.storePublicTerms(tx, listing);
    await deals.scheduleSettling(tx, { listing_id: listing.id });
  };

  /**
   * Stores the content of an existing listing. The order of the steps matters:
   *
   * 1. Checks, and decisions that need the stored listing, before anything changes it: whether it may change, whether
   *    saved searches must match it again, when a draw closes.
   * 2. A listing becomes a draft before its content is stored, because a draft may lack fields that the database
   *    requires of a published listing.
   * 3. The content is stored, and buyers with open deals are told about changes. If the listing is in review, they are
   *    told only after it is published again.
   * 4. A listing is published after its content is stored, for the reason of step 2. Its deals, which stayed unchanged
   *    while it was in review, are settled.
   * 5. Photos that the listing no longer has are removed last.
   */
  const update = async (
    tx: Queryable,
    listing: OwnedListing,
    { content, status }: { content: ListingContent; status: repository.ListingStatusAfterSave },
  ): Promise<void> => {
    if (listing.status === 'sold') throw createProblem('listing_sold');
    await deals.assertMayChange(tx, listing, content);
    if (listing.status === 'published' && status === 'published')
      await matching.scheduleForEdited(tx, listing.id);
    const drawClosesAt = await findDrawClosingTime(tx, listing, { content, status });
    if (status === 'draft') await unpublish(tx, listing);
    if (status === 'in_review') {
      await listAgain(tx, listing);
      await deals.assertNotHandedOver(tx, { listingId: listing.id });
    }
    if (listing.rented_until && content.category !== 'rentals') await clearSale(tx, listing);
    await repository.updateListingContent(tx, listing, { content, status, drawClosesAt, now: clock.now() });
    if (listing.status !== 'draft' && status !== 'draft') {
      const terms = { before: listing, after: toContentColumns(content) };
      await deals.scheduleChangeNotices(tx, { listing_id: listing.id, ...terms });
    }
    if (status === 'published') await publish(tx, listing, { title: content.title, drawClosesAt });
    if (listing.status === 'in_review' && status === 'published')
      await deals.scheduleSettling(tx, { listing_id: listing.id });
    const dropped = listing.photos.filter((url) => !content.photos.includes(url));
    if (dropped.length > 0) await removeFiles(tx, dropped);
  };

  /**
   * Invalidates the pages that show the listing. Call it after the commit. A listing that was a draft before and after
   * the change appears on no page.
   */
  const invalidatePages = async (
    id: string,
    ...states: (Pick<OwnedListing, 'status' | 'category'> | undefined)[]
  ) => {
    const shown = states.filter((state) => state?.status === 'published' || state?.status === 'sold');
    if (shown.length === 0) return;
    await invalidation.listingChanged(
      id,
      shown.flatMap((state) => state?.category ?? []),
    );
  };

  /** Returns error messages by form field for everything a stored listing still lacks for publication. */
  const findMissingFields = (listing: OwnedListing): Record<string, string> => {
    const checked = createPublishedListingSchema(toCampusDay(campus, clock.now())).safeParse(
      toListingContent(listing),
    );
    return checked.success ? {} : toFieldErrors(checked.error);
  };

  const deletion = createListingDeletion({ ...deps, invalidatePages });
  const sales = createListingSaleService({ ...deps, getOwned, invalidatePages, wording });

  return {
    ...createListingReadService({ ...deps, matchCounts }),

    /** Subscribes to the bus, to drop cached totals when listings change. Returns an unsubscribe function. */
    listen: matchCounts.listen,

    /** Creates a listing, or updates this person's listing with the given id or idempotency key, in one transaction. */
    save: async (userId: string, submission: ListingSubmission): Promise<OwnListing> => {
      const content = toSubmittedContent(submission);
      const clientId = submission.clientId ?? null;
      const { id, before, status } = await runInTransaction(sql, async (tx) => {
        await repository.lockUserListings(tx, userId);
        if (submission.status === 'published') await assertNotSuspended(tx, userId);
        const known = clientId ? await repository.findListingByClientId(tx, userId, clientId) : undefined;
        const existing = submission.id ?? known;
        const before = existing ? await getOwned(tx, userId, existing) : undefined;
        await assertOwnPhotos(tx, userId, content.photos);
        const found =
          submission.status === 'published'
            ? await wording.check(tx, toContentColumns(content), { ownerId: userId, before })
            : [];
        const status = found.length > 0 ? ('in_review' as const) : submission.status;
        if (before) await update(tx, before, { content, status });
        const id = before?.id ?? (await insertWithSlug(tx, { userId, clientId, content, status }));
        if (found.length > 0) await wording.hold(tx, { ...toContentColumns(content), id }, { before, found });
        return { id, before, status };
      });
      await invalidatePages(id, before, { status, category: content.category });
      return getMine(userId, id);
    },

    /** Publishes a complete draft, or turns a published listing into a draft. */
    setStatus: async (userId: string, id: string, status: SettableListingStatus): Promise<OwnListing> => {
      const changed = await runInTransaction(sql, async (tx) => {
        await repository.lockUserListings(tx, userId);
        if (status === 'published') await assertNotSuspended(tx, userId);
        const listing = await getOwned(tx, userId, id);
        if (listing.status === status) return undefined;
        if (listing.status === 'in_review' && status === 'published') return undefined;
        if (listing.status === 'sold') throw createProblem('listing_sold');
        if (status === 'draft') {
          await unpublish(tx, listing);
          return listing;
        }
        const missingFields = findMissingFields(listing);
        const [sentence] = Object.values(missingFields);
        if (sentence !== undefined)
          throw createProblem('listing_incomplete', { sentence, fields: missingFields });
        const found = await wording.check(tx, listing, { ownerId: userId, before: listing });
        if (found.length > 0) {
          await listAgain(tx, listing);
          await wording.hold(tx, listing, { before: listing, found });
          return undefined;
        }
        const content = toListingContent(listing);
        const drawClosesAt = await findDrawClosingTime(tx, listing, { content, status });
        await publish(tx, listing, { title: listing.title, drawClosesAt });
        return listing;
      });
      if (changed) await invalidatePages(id, changed, { ...changed, status });
      return getMine(userId, id);
    },

    /** Marks a published listing as sold, given away or rented, without a deal. */
    markSold: async (userId: string, id: string, sale: MarkSoldBody): Promise<OwnListing> => {
      await sales.markSold(userId, id, sale);
      return getMine(userId, id);
    },

    /** Publishes a sold or rented listing again, unless somebody has confirmed the sale. */
    relist: async (userId: string, id: string): Promise<OwnListing> => {
      await sales.relist(userId, id);
      return getMine(userId, id);
    },

    listInterested: sales.listInterested,
    answerSale: sales.answerSale,

    remove: deletion.remove,
    removeDeleted: deletion.removeDeleted,

    /** Restores a listing that was deleted moments ago. Throws listing_not_found when it is too late. */
    restore: async (userId: string, id: string): Promise<OwnListing> => {
      await deletion.restore(userId, id);
      return getMine(userId, id);
    },

    lockListingChanges,

    /** Removes words that no published listing contains from the dictionary for similar searches. Runs daily. */
    removeUnusedWords: () => removeUnusedSearchWords(sql),

    getMine,

    listMine: async (userId: string, { cursor, ...wanted }: OwnListingQuery): Promise<OwnListingPage> => {
      const after = cursor === undefined ? undefined : decodeCursor('newest', cursor);
      const { items, counts, end } = await repository.listOwnListings(sql, {
        userId,
        ...wanted,
        after,
        today: toCampusDay(campus, clock.now()),
      });
      return {
        items: items.map(presentOwnListing),
        counts,
        next_cursor: end ? encodeCursor('newest', end) : null,
      };
    },
  };
};

export type ListingService = ReturnType<typeof createListingService>;
