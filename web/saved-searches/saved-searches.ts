import { queryOptions } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type {
  SavedSearch,
  SavedSearchBody,
  SavedSearchChange,
  SavedSearchWithNewCount,
} from '#contract/saved-searches.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';

/** The query that loads the person's saved searches, latest first. */
export const savedSearchesQuery = (ownId: string) =>
  queryOptions({
    queryKey: ['saved-searches', ownId],
    queryFn: async ({ signal }) => (await request(calls.listSavedSearches, { signal })).items,
  });

const updateSearches = async (
  ownId: string,
  update: (searches: SavedSearchWithNewCount[]) => SavedSearchWithNewCount[],
): Promise<void> => {
  const { queryKey } = savedSearchesQuery(ownId);
  // The response to a request in progress would overwrite the change, so cancel the request.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (searches) => searches && update(searches));
};

/**
 * Saves a search. If a search with the same query is already saved, changes its name and alert instead.
 * Throws an ApiError if the request fails.
 */
export const saveSearch = async (ownId: string, body: SavedSearchBody): Promise<void> => {
  const saved = await request(calls.saveSearch, { body });
  await updateSearches(ownId, (searches) => {
    const same = searches.find(({ id }) => id === saved.id);
    const others = searches.filter(({ id }) => id !== saved.id);
    return [{ ...saved, new_count: same?.new_count ?? 0 }, ...others];
  });
};

/**
 * Changes a saved search, or records that the person has visited its results. Returns the ids of the listings
 * that were new at this visit. Throws an ApiError if the request fails.
 */
export const changeSavedSearch = async (
  ownId: string,
  { id }: Pick<SavedSearch, 'id'>,
  change: SavedSearchChange,
): Promise<string[]> => {
  const { new_listing_ids: newIds, ...changed } = await request(calls.changeSavedSearch, {
    params: { id },
    body: change,
  });
  await updateSearches(ownId, (searches) =>
    searches.map((search) =>
      search.id === id ? { ...changed, new_count: change.visited ? 0 : search.new_count } : search,
    ),
  );
  return newIds;
};

/** Restores a search that was deleted moments ago. Throws an ApiError if the request fails. */
export const restoreSavedSearch = async (
  ownId: string,
  { id, name, query, alert }: SavedSearch,
): Promise<void> => {
  await request(calls.saveSearch, { body: { name, query, alert, restores: id } });
  await queryClient.invalidateQueries({ queryKey: savedSearchesQuery(ownId).queryKey });
};

/** Deletes a saved search. Throws an ApiError if the request fails. */
export const deleteSavedSearch = async (ownId: string, { id }: Pick<SavedSearch, 'id'>): Promise<void> => {
  await request(calls.deleteSavedSearch, { params: { id } });
  await updateSearches(ownId, (searches) => searches.filter((search) => search.id !== id));
};
