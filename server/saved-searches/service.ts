import { createFieldProblem, createProblem } from '#contract/errors.ts';
import type { SavedQuery } from '#contract/listing-queries.ts';
import { maxSavedSearches } from '#contract/paging.ts';
import {
  canAlertInstantly,
  type SavedSearch,
  type SavedSearchChange,
  type SavedSearchForm,
  savedSearchErrorMessages,
} from '#contract/saved-searches.ts';
import type { Clock } from '#server/platform/clock.ts';
import { runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

const presentSavedSearch = (row: repository.SavedSearchRow): SavedSearch => ({
  id: row.id,
  name: row.name,
  query: row.query,
  alert: row.alert,
  created_at: row.created_at.toISOString(),
});

/** Returns the query without what filters nothing, so that equal searches have equal queries. */
const toEffectiveQuery = (query: SavedQuery): SavedQuery =>
  Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined && value !== '' && value !== 'false'),
  );

const assertAlertPossible = ({ alert, query }: Pick<SavedSearchForm, 'alert' | 'query'>): void => {
  if (alert === 'instant' && !canAlertInstantly(query))
    throw createFieldProblem({ alert: savedSearchErrorMessages.instant });
};

/** Creates the service for the searches that a person saved. */
export const createSavedSearchService = ({ sql, clock }: { sql: Sql; clock: Clock }) => ({
  /** Returns a person's searches, the latest first. */
  list: async (userId: string): Promise<SavedSearch[]> =>
    (await repository.listSavedSearches(sql, userId)).map(presentSavedSearch),

  /**
   * Saves a search; one with the same query gets the new name and alert instead. Throws a field error when the alert is
   * not possible, and saved_searches_full.
   */
  save: async (userId: string, { name, alert, ...form }: SavedSearchForm): Promise<SavedSearch> => {
    const search = { userId, name, alert, query: toEffectiveQuery(form.query) };
    assertAlertPossible(search);
    return runInTransaction(sql, async (tx) => {
      if (!(await repository.lockPerson(tx, userId))) throw createProblem('not_authenticated');
      const saved =
        (await repository.updateSameSearch(tx, search)) ??
        (await repository.insertSavedSearch(tx, { ...search, limit: maxSavedSearches, now: clock.now() }));
      if (!saved) throw createProblem('saved_searches_full');
      return presentSavedSearch(saved);
    });
  },

  /** Changes a person's search. Throws saved_search_not_found, and a field error when the alert is not possible. */
  change: (userId: string, id: string, change: SavedSearchChange): Promise<SavedSearch> =>
    runInTransaction(sql, async (tx) => {
      const search = await repository.findAndLockSavedSearch(tx, userId, id);
      if (!search) throw createProblem('saved_search_not_found');
      const changed = {
        ...search,
        name: change.name ?? search.name,
        alert: change.alert ?? search.alert,
        query: change.query ? toEffectiveQuery(change.query) : search.query,
      };
      assertAlertPossible(changed);
      await repository.updateSavedSearch(tx, changed);
      return presentSavedSearch(changed);
    }),

  remove: (userId: string, id: string): Promise<void> => repository.deleteSavedSearch(sql, userId, id),
});

export type SavedSearchService = ReturnType<typeof createSavedSearchService>;
