import { type Campus, campusDay } from '#contract/campus.ts';
import { fieldProblem, problem, toFieldErrors } from '#contract/errors.ts';
import type { OwnListingPage, OwnListingQuery } from '#contract/listing-queries.ts';
import {
  type ListingStatus,
  type ListingSubmission,
  type OwnListing,
  publishedListingSchema,
  takenDownSentence,
} from '#contract/listings.ts';
import { photoSentences, toRootRelativeUrl } from '#contract/photos.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { PhotoService } from '#server/photos/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import { atomically, type Queryable, type Sql } from '#server/platform/postgres/database.ts';
import {
  type ListingContent,
  makeSlug,
  type OwnedListing,
  presentOwn,
  toListingContent,
} from './listing-row.ts';
import { asOwner } from './policy.ts';
import { createListingReads } from './reading.ts';
import * as repository from './repository.ts';
import { removeUnusedWords } from './search-repository.ts';
import { decodeCursor, encodeCursor } from './sorts.ts';
import { createTotals } from './totals.ts';

/**
 * Saving a new listing with the same content again within this time counts as a double click and creates no second
 * listing.
 */
const doubleClickSeconds = 10;

interface ListingsDeps {
  sql: Sql;
  searchSql: Sql;
  clock: Clock;
  campus: Campus;
  photos: Pick<PhotoService, 'listOwned'>;
  invalidation: Pick<PageInvalidation, 'listingChanged'>;
  bus: Pick<Bus, 'subscribe'>;
  /** Queues files for reliable removal soon after the transaction commits. */
  removeFiles(tx: Queryable, urls: string[]): Promise<void>;
}

const submissionToContent = ({
  id: _id,
  clientId: _clientId,
  status: _status,
  ...content
}: ListingSubmission): ListingContent => ({
  ...content,
  title: content.title || null,
  description: content.description || null,
  location: content.location || null,
  photos: [...new Set(content.photos.map(toRootRelativeUrl))],
  gameDate: content.category === 'game-day' ? content.gameDate : null,
});

/** Prevents a person's listings from being changed by other transactions until this transaction ends. */
export const lockListingChanges = (tx: Queryable, userId: string): Promise<void> =>
  repository.lockListingSaves(tx, userId);

/** Creates the service for listings: changes by their owners, and public reads. */
export const createListings = (deps: ListingsDeps) => {
  const { sql, clock, campus, photos, invalidation, bus, removeFiles } = deps;
  const totals = createTotals({ bus, clock });

  const getOwned = async (tx: Queryable, userId: string, id: string): Promise<OwnedListing> => {
    const listing = asOwner(await repository.findAndLockListing(tx, id), userId);
    if (!listing) throw problem('listing_not_found');
    return listing;
  };

  const getMine = async (userId: string, id: string): Promise<OwnListing> => {
    const row = await repository.findOwn(sql, userId, id);
    if (!row) throw problem('listing_not_found');
    return presentOwn(row);
  };

  const assertOwnPhotos = async (tx: Queryable, userId: string, urls: string[]): Promise<void> => {
    if (urls.length === 0) return;
    const owned = new Set(await photos.listOwned(userId, 'listing-photos', urls, tx));
    if (!urls.every((url) => owned.has(url))) throw fieldProblem({ photos: photoSentences.foreign });
  };

  const insertWithSlug = async (tx: Queryable, listing: repository.NewListing): Promise<string> => {
    const since = secondsAfter(clock.now(), -doubleClickSeconds);
    const duplicate = await repository.findDuplicate(tx, { ...listing, since });
    if (duplicate) return duplicate;
    for (;;) {
      const slug = makeSlug(listing.content.title);
      const id = await repository.insertListing(tx, { ...listing, slug, now: clock.now() });
      if (id) return id;
    }
  };

  // The slug is created from the title at the first publication and never changes afterwards.
  const publish = async (tx: Queryable, listing: OwnedListing, title: string | null): Promise<void> => {
    if (listing.hidden_at) {
      const sentence = takenDownSentence(listing.hidden_reason ?? '');
      throw problem('listing_taken_down', { sentence });
    }
    const now = clock.now();
    if (listing.published_at) {
      await repository.publish(tx, listing, { slug: listing.slug, now });
      return;
    }
    while (!(await repository.publish(tx, listing, { slug: makeSlug(title), now })));
  };

  const update = async (
    tx: Queryable,
    listing: OwnedListing,
    { content, status }: { content: ListingContent; status: ListingStatus },
  ): Promise<void> => {
    // Unpublishing comes first, because a draft may lack fields that the database requires of a published listing.
    if (status === 'draft') await repository.unpublish(tx, listing, clock.now());
    await repository.updateContent(tx, listing, { content, now: clock.now() });
    if (status === 'published') await publish(tx, listing, content.title);
    const dropped = listing.photos.filter((url) => !content.photos.includes(url));
    if (dropped.length > 0) await removeFiles(tx, dropped);
  };

  /**
   * Invalidates the pages that show the listing; call it after the commit. A listing that was a draft before and after
   * the change appears on no page.
   */
  const invalidatePages = async (
    id: string,
    ...states: (Pick<OwnedListing, 'status' | 'category'> | undefined)[]
  ) => {
    const shown = states.filter((state) => state?.status === 'published');
    if (shown.length === 0) return;
    await invalidation.listingChanged(
      id,
      shown.flatMap((state) => state?.category ?? []),
    );
  };

  /** Returns error messages by form field for everything a stored listing still lacks for publication. */
  const findMissingFields = (listing: OwnedListing): Record<string, string> => {
    const checked = publishedListingSchema(campusDay(campus, clock.now())).safeParse(
      toListingContent(listing),
    );
    return checked.success ? {} : toFieldErrors(checked.error);
  };

  return {
    ...createListingReads({ ...deps, totals }),

    /** Starts to drop cached totals when listings change; returns an unsubscribe function. */
    listen: totals.listen,

    /** Creates a listing, or updates this person's listing with the given id or idempotency key, in one transaction. */
    save: async (userId: string, submission: ListingSubmission): Promise<OwnListing> => {
      const content = submissionToContent(submission);
      const { status } = submission;
      const clientId = submission.clientId ?? null;
      const { id, before } = await sql.begin(async (tx) => {
        await repository.lockListingSaves(tx, userId);
        const known = clientId ? await repository.findByClientId(tx, userId, clientId) : undefined;
        const existing = submission.id ?? known;
        const listing = existing ? await getOwned(tx, userId, existing) : undefined;
        await assertOwnPhotos(tx, userId, content.photos);
        if (listing) await update(tx, listing, { content, status });
        return {
          id: listing?.id ?? (await insertWithSlug(tx, { userId, clientId, content, status })),
          before: listing,
        };
      });
      await invalidatePages(id, before, { status, category: content.category });
      return getMine(userId, id);
    },

    /** Publishes a complete draft, or turns a published listing into a draft. */
    setStatus: async (userId: string, id: string, status: ListingStatus): Promise<OwnListing> => {
      const changed = await sql.begin(async (tx) => {
        await repository.lockListingSaves(tx, userId);
        const listing = await getOwned(tx, userId, id);
        if (listing.status === status) return undefined;
        if (status === 'draft') {
          await repository.unpublish(tx, listing, clock.now());
          return listing;
        }
        const missingFields = findMissingFields(listing);
        const [sentence] = Object.values(missingFields);
        if (sentence !== undefined) throw problem('listing_incomplete', { sentence, fields: missingFields });
        await publish(tx, listing, listing.title);
        return listing;
      });
      if (changed) await invalidatePages(id, changed, { ...changed, status });
      return getMine(userId, id);
    },

    /** Deletes a listing and its photo files; its conversations stay. */
    remove: async (userId: string, id: string): Promise<void> => {
      const attempt = () =>
        atomically(sql, async (tx) => {
          await repository.lockListingSaves(tx, userId);
          const listing = await getOwned(tx, userId, id);
          if (!(await repository.deleteListing(tx, listing))) return undefined;
          if (listing.photos.length > 0) await removeFiles(tx, listing.photos);
          return listing;
        });
      let removed = await attempt();
      while (!removed) removed = await attempt();
      await invalidatePages(id, removed);
    },

    lockListingChanges,

    /** Removes the words of deleted listings from the words for similar searches; runs daily. */
    removeUnusedWords: () => removeUnusedWords(sql),

    getMine,

    listMine: async (userId: string, { cursor, ...wanted }: OwnListingQuery): Promise<OwnListingPage> => {
      const after = cursor === undefined ? undefined : decodeCursor('newest', cursor);
      const { items, counts, end } = await repository.listOwn(sql, { userId, ...wanted, after });
      return { items: items.map(presentOwn), counts, next_cursor: end ? encodeCursor('newest', end) : null };
    },
  };
};

export type Listings = ReturnType<typeof createListings>;
