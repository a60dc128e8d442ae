import { z } from 'zod';
import { toCampusDay } from '#contract/campus.ts';
import type { App } from '#server/app.ts';
import { listSearchableTexts } from '#server/features/listings/sql.ts';
import { notify } from '#server/features/notifications/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { QueueDefinition } from '#server/platform/jobs.ts';
import { type Queryable, runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import * as repository from './matching-repository.ts';
import { matchingDelaySeconds } from './sql.ts';
import { listTextKeys } from './text-keys.ts';

const searchesPerAnnouncement = 200;

/** Number of matching listings whose titles a notification contains. */
const maxNamedListings = 3;

/**
 * Queue of the job that matches listings with saved searches. Each publication and edit adds one entry, but the entry
 * names no listing: the job matches all listings that are due.
 */
export const listingMatchingQueue: QueueDefinition<object> = {
  name: 'match-listings',
  retries: 5,
  retryDelay: 5,
  payload: z.object({}),
};

const scheduleMatching = async (
  { jobs, clock }: App,
  tx: Queryable,
  listingId: string,
  add: typeof repository.queuePublishedListing,
): Promise<void> => {
  await add(tx, listingId, addSeconds(clock.now(), matchingDelaySeconds));
  // Wait one second longer, because the database and this process may round the time differently.
  await jobs.enqueue(tx, listingMatchingQueue, {}, { delaySeconds: matchingDelaySeconds + 1 });
};

/** Queues a listing that is being published, to be matched with all saved searches. */
export const matchPublishedListing = (app: App, tx: Queryable, listingId: string): Promise<void> =>
  scheduleMatching(app, tx, listingId, repository.queuePublishedListing);

/**
 * Queues a published listing, to be matched with all saved searches after an edit. Must be called before the edit,
 * because it stores the previous state of the listing.
 */
export const matchEditedListing = (app: App, tx: Queryable, listingId: string): Promise<void> =>
  scheduleMatching(app, tx, listingId, repository.queueEditedListing);

/**
 * Queues the listings of a seller who is away until a day (YYYY-MM-DD), or is back if `until` is null, to be matched when
 * they are in lists again.
 */
export const matchListingsOnReturn = async (
  { jobs, clock, config: { campus } }: App,
  tx: Queryable,
  userId: string,
  until: string | null,
): Promise<void> => {
  const now = clock.now();
  // The job that runs every minute matches them on the day of return.
  if (until !== null) return repository.queueAwayListings(tx, userId, { until, now, campus });
  await repository.advanceReturningListings(tx, userId, addSeconds(now, matchingDelaySeconds));
  await jobs.enqueue(tx, listingMatchingQueue, {}, { delaySeconds: matchingDelaySeconds + 1 });
};

/** Matches one listing. Returns false when none is due. */
const matchNext = async ({ clock, config: { campus } }: App, tx: Transaction): Promise<boolean> => {
  const now = clock.now();
  const listing = await repository.findAndLockListingToMatch(tx, now);
  if (!listing) return false;
  if (listing.away_until !== null && listing.away_until > toCampusDay(campus, now)) {
    await repository.postponeToReturn(tx, listing.id, campus);
    return true;
  }
  if (listing.status === 'published') {
    const textKeys = listTextKeys(listSearchableTexts(listing, campus.mascot));
    const changedAt = addSeconds(listing.due_at, -matchingDelaySeconds);
    await repository.insertMatches(tx, listing, { now, campus, textKeys, changedAt });
  }
  await repository.removeListingToMatch(tx, listing.id);
  return true;
};

/** Notifies people about new matches of their saved searches. */
const announceMatches = async (
  app: App,
  tx: Transaction,
  matches: readonly repository.SearchMatches[],
): Promise<void> => {
  const toItem = ({ searchId, userId, listingIds }: repository.SearchMatches) => ({
    subjectId: searchId,
    facts: { listing_ids: listingIds.slice(0, maxNamedListings) },
    userIds: [userId],
    count: listingIds.length,
  });
  const { instant = [], daily = [] } = Object.groupBy(matches, ({ alert }) => alert);
  await notify(app, tx, 'search_matched', instant.map(toItem));
  await notify(app, tx, 'search_digest', daily.map(toItem));
};

/** Announces the due matches of some searches. Returns false when none are due. */
const announceNext = async (app: App, tx: Transaction): Promise<boolean> => {
  const now = app.clock.now();
  const searchIds = await repository.lockSearchesToAnnounce(tx, now, searchesPerAnnouncement);
  if (searchIds.length === 0) return false;
  const { campus } = app.config;
  const matches = await repository.takeMatchesToAnnounce(tx, searchIds, { now, campus });
  if (matches.length > 0) await announceMatches(app, tx, matches);
  return true;
};

/** Matches all due listings with the saved searches, and announces due matches. */
export const matchDueListings = async (app: App): Promise<void> => {
  for (const step of [matchNext, announceNext])
    while (await runInTransaction(app.sql, (tx) => step(app, tx)));
};

/** Removes the matches of listings and searches that no longer exist. */
export const removeStaleMatches = ({ sql }: App): Promise<void> => repository.removeStaleMatches(sql);
