import { QueryObserver, queryOptions } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import { maxSavedListings } from '#contract/paging.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { reportSaveFailure, withSavedId } from './saving.ts';
import { forgetVisitorSaves, readVisitorSaves } from './visitor-saves.ts';

/**
 * Time in ms after which the ids of saved listings count as stale and are refetched when a page with
 * hearts opens, because the person may have saved listings on another device.
 */
const staleTimeMs = 60_000;

/** Runs `work` in one tab at a time. The Web Locks API is missing without HTTPS; `work` then runs immediately. */
const withMergeLock = <Result>(work: () => Promise<Result>): Promise<Result> =>
  navigator.locks ? navigator.locks.request('quad.saved-listings', work) : work();

const fetchSavedIds = async (): Promise<string[]> => (await request(calls.listSavedIds, {})).listing_ids;

/**
 * Adds the listings that were saved in this browser before the log-in to the account. Then returns the ids of
 * all listings that the account has saved. Only one tab does this, because a second one could add a listing
 * again that the person has since removed.
 */
const mergeAndFetchSavedIds = (): Promise<string[]> =>
  withMergeLock(async () => {
    const before = readVisitorSaves().slice(0, maxSavedListings);
    if (before.length === 0) return fetchSavedIds();
    const { listing_ids } = await request(calls.saveListings, { body: { listing_ids: before } });
    forgetVisitorSaves();
    return listing_ids;
  });

const savedIdsQuery = (ownId: string) =>
  queryOptions({
    queryKey: ['saved-ids', ownId],
    queryFn: () => (readVisitorSaves().length > 0 ? mergeAndFetchSavedIds() : fetchSavedIds()),
    staleTime: staleTimeMs,
    gcTime: Number.POSITIVE_INFINITY,
  });

/** Refetches the ids of the account's saved listings if there are hearts on screen. */
export const refreshSavedListingIds = (ownId: string): Promise<void> =>
  queryClient.invalidateQueries(savedIdsQuery(ownId));

/** Adds the listings that were saved in this browser before the log-in, if any, to the account. Never throws. */
export const mergeVisitorSaves = async (ownId: string): Promise<void> => {
  if (readVisitorSaves().length > 0)
    await queryClient.prefetchQuery({ ...savedIdsQuery(ownId), staleTime: 0 });
};

/**
 * Calls `onChange` with whether the account has saved a listing, as soon as that is known and after every change. Returns an
 * unsubscribe function.
 */
export const watchSaved = (
  listingId: string,
  onChange: (isSaved: boolean) => void,
  ownId: string,
): (() => void) => {
  const observer = new QueryObserver(queryClient, savedIdsQuery(ownId));
  const report = ({ data }: { data: string[] | undefined }): void => {
    if (data) onChange(data.includes(listingId));
  };
  report(observer.getCurrentResult());
  return observer.subscribe(report);
};

/**
 * Saves a listing or removes it. Every heart of the listing changes immediately; if saving fails,
 * they change back, and a toast says why. Returns whether it succeeded.
 */
export const setSaved = async (listingId: string, isSaved: boolean, ownId: string): Promise<boolean> => {
  const query = savedIdsQuery(ownId);
  const show = (next: boolean): void => {
    queryClient.setQueryData(query.queryKey, (ids) => ids && withSavedId(ids, listingId, next));
  };
  try {
    await queryClient.ensureQueryData(query);
    // The response to a fetch in progress would overwrite the change, so cancel the fetch.
    await queryClient.cancelQueries({ queryKey: query.queryKey });
    show(isSaved);
    const mutation = queryClient.getMutationCache().build(queryClient, {
      // Sends quick successive taps to the server one after another, so that the last tap wins.
      scope: { id: `saved ${listingId}` },
      mutationFn: () =>
        request(isSaved ? calls.saveListing : calls.removeSavedListing, {
          params: { listing_id: listingId },
        }),
    });
    await mutation.execute(undefined);
    // Show this change again: if an earlier tap has failed in the meantime, its error handler has reverted
    // this change too.
    show(isSaved);
    return true;
  } catch (error) {
    show(!isSaved);
    reportSaveFailure(isSaved, error instanceof ApiError ? error.message : undefined);
    return false;
  }
};
