import { createFieldProblem, createProblem } from '#contract/errors.ts';
import { formatTooManySavedSearchesMessage } from '#contract/limit-messages.ts';
import {
  type AccountTierFacts,
  getAccountTier,
  getSecondsUntilAllowed,
  savedSearchLimits,
} from '#contract/limits.ts';
import type { SavedSearchQuery } from '#contract/listing-queries.ts';
import { maxExactNewMatchCount, maxSavedSearches } from '#contract/paging.ts';
import {
  type ChangedSavedSearch,
  canAlertInstantly,
  type SavedSearch,
  type SavedSearchBody,
  type SavedSearchChange,
  type SavedSearchWithNewCount,
  savedSearchErrorMessages,
} from '#contract/saved-searches.ts';
import type { App } from '#server/app.ts';
import { markSubjectRead, publishNotificationsChanged } from '#server/features/notifications/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import {
  isForeignKeyViolation,
  runInTransaction,
  type Transaction,
} from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

/** How long a deleted search can be restored, in seconds. Pages offer it for 10 seconds, and requests take time to arrive. */
const restorableSeconds = 20;

const presentSavedSearch = (row: repository.SavedSearchRow): SavedSearch => ({
  id: row.id,
  name: row.name,
  query: row.query,
  alert: row.alert,
  created_at: row.created_at.toISOString(),
  visited_at: row.visited_at.toISOString(),
});

/** Returns the query without filters that have no effect, so that equal searches have equal queries. */
const toEffectiveQuery = (query: SavedSearchQuery): SavedSearchQuery =>
  Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== '' && value !== 'false'),
  );

const assertAlertPossible = ({ alert, query }: Pick<SavedSearchBody, 'alert' | 'query'>): void => {
  if (alert === 'instant' && !canAlertInstantly(query))
    throw createFieldProblem({ alert: savedSearchErrorMessages.instant });
};

/**
 * Throws a field error instead of the database error that occurs when the seller of the searched listings does not
 * exist. Rethrows all other errors.
 */
const refuseMissingSeller = (error: unknown): never => {
  if (!isForeignKeyViolation(error, /seller/)) throw error;
  throw createFieldProblem({ 'query.seller': savedSearchErrorMessages.seller });
};

/** Returns the time of the results that the person sees, which is neither in the future nor before an earlier visit. */
const getVisitTime = (
  { visited_at: earlier }: Pick<repository.SavedSearchRow, 'visited_at'>,
  resultsAt: string | undefined,
  now: Date,
): Date => {
  const seen = resultsAt === undefined ? now : new Date(resultsAt);
  return new Date(Math.max(earlier.getTime(), Math.min(seen.getTime(), now.getTime())));
};

const applyChange = async (
  { clock, config: { campus } }: App,
  tx: Transaction,
  search: repository.SavedSearchRow,
  { visited, results_at: resultsAt, ...change }: SavedSearchChange,
): Promise<SavedSearch> => {
  const now = clock.now();
  const { name = search.name, alert = search.alert } = change;
  const query = change.query ? toEffectiveQuery(change.query) : search.query;
  assertAlertPossible({ alert, query });
  if (name !== search.name) await repository.updateSearchName(tx, search.id, name);
  if (change.query) await repository.updateSearchQuery(tx, search.id, query);
  if (alert !== search.alert) await repository.updateSearchAlert(tx, search.id, { alert, now, campus });
  const visitedAt = visited ? getVisitTime(search, resultsAt, now) : search.visited_at;
  if (visited) await repository.recordSearchVisit(tx, search.id, { now, campus, visitedAt });
  return presentSavedSearch({ ...search, name, alert, query, visited_at: visitedAt });
};

const assertMaySave = async (
  { clock }: App,
  tx: Transaction,
  userId: string,
  person: AccountTierFacts,
): Promise<void> => {
  const now = clock.now();
  const savedAt = await repository.listSearchCreationTimes(tx, userId);
  // At the maximum number of searches, skip the rate limit: insertion is refused anyway, and "try again later" would
  // be wrong.
  if (savedAt.length >= maxSavedSearches) return;
  const wait = getSecondsUntilAllowed(savedAt, savedSearchLimits[getAccountTier(person, now)], now);
  if (wait > 0)
    throw createProblem('rate_limited', {
      retryAfter: wait,
      sentence: formatTooManySavedSearchesMessage(wait),
    });
};

const findRestored = async (
  { clock }: App,
  tx: Transaction,
  userId: string,
  id: string | undefined,
): Promise<repository.SavedSearchRow | undefined> =>
  id === undefined
    ? undefined
    : repository.restoreSearch(tx, {
        userId,
        id,
        deletedAfter: addSeconds(clock.now(), -restorableSeconds),
        limit: maxSavedSearches,
      });

/** Returns a person's saved searches, latest first. */
export const listSavedSearches = async (
  { sql, clock, config }: App,
  userId: string,
): Promise<SavedSearchWithNewCount[]> => {
  const moment = { now: clock.now(), campus: config.campus, countedTo: maxExactNewMatchCount };
  const rows = await repository.listSavedSearches(sql, userId, moment);
  return rows.map((row) => ({ ...presentSavedSearch(row), new_count: row.new_count }));
};

/**
 * Saves a search; a saved search with the same query gets the new name and alert instead, and one that was deleted
 * moments ago is restored as it was if the body names it in `restores`. Throws a field error when the alert is not
 * possible for this search, and saved_searches_full when the person has saved the maximum number of searches.
 */
export const saveSearch = async (
  app: App,
  userId: string,
  { restores, ...body }: SavedSearchBody,
): Promise<SavedSearch> => {
  const search = { ...body, query: toEffectiveQuery(body.query) };
  assertAlertPossible(search);
  return runInTransaction(app.sql, async (tx) => {
    const tierFacts = await repository.findAndLockTierFacts(tx, userId);
    if (!tierFacts) throw createProblem('not_authenticated');
    const same = await repository.findAndLockSameSearch(tx, userId, search.query);
    if (same) return applyChange(app, tx, same, { name: body.name, alert: body.alert });
    await assertMaySave(app, tx, userId, tierFacts);
    const restored = await findRestored(app, tx, userId, restores);
    if (restored) return presentSavedSearch(restored);
    const owner = { userId, limit: maxSavedSearches, now: app.clock.now() };
    const saved = await repository.insertSavedSearch(tx, search, owner);
    if (!saved) throw createProblem('saved_searches_full');
    return presentSavedSearch(saved);
  }).catch(refuseMissingSeller);
};

/**
 * Changes a person's search. When the change records a visit, also marks the notifications about the search as
 * read, and returns the listings that are new at this visit. Throws saved_search_not_found, and a field error when
 * the alert is not possible.
 */
export const changeSavedSearch = async (
  app: App,
  userId: string,
  id: string,
  change: SavedSearchChange,
): Promise<ChangedSavedSearch> => {
  const { sql, clock, config } = app;
  let isMarkedRead = false;
  const changed = await runInTransaction(sql, async (tx) => {
    const search = await repository.findAndLockSavedSearch(tx, userId, id);
    if (!search) throw createProblem('saved_search_not_found');
    const moment = { now: clock.now(), campus: config.campus, limit: maxExactNewMatchCount };
    const newIds = change.visited ? await repository.listNewMatches(tx, id, moment) : [];
    const subject = { userId, kind: 'saved_searches', subjectId: id, now: moment.now } as const;
    isMarkedRead = change.visited === true && (await markSubjectRead(tx, subject));
    return { ...(await applyChange(app, tx, search, change)), new_listing_ids: newIds };
  }).catch(refuseMissingSeller);
  if (isMarkedRead) await publishNotificationsChanged(app, [userId]);
  return changed;
};

/** Deletes a person's search, which `saveSearch` can restore for `restorableSeconds`. */
export const deleteSavedSearch = ({ sql, clock }: App, userId: string, id: string): Promise<void> =>
  repository.markSearchDeleted(sql, { userId, id, now: clock.now() });

/** Removes the deleted searches that can no longer be restored. */
export const removeDeletedSearches = ({ sql, clock }: App): Promise<void> =>
  repository.removeDeletedSearches(sql, addSeconds(clock.now(), -restorableSeconds));
