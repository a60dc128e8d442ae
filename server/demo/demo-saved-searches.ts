import type { Campus } from '#contract/campus.ts';
import { saveSearch } from '#server/features/saved-searches/public.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import type { DemoSavedSearch } from './data.ts';
import { subtractDays } from './demo-times.ts';
import { createPastApp } from './past-app.ts';
import { getPersonByName, type PlannedListing, type SeededPerson } from './plan-listings.ts';

interface SaveSearchesOptions {
  searches: readonly DemoSavedSearch[];
  people: ReadonlyMap<string, SeededPerson>;
  listings: readonly PlannedListing[];
  campus: Campus;
  /** The time at which the demo campus is created. */
  start: Date;
}

/**
 * Saves the searches of the demo people, and matches them with the listings published since the first search
 * was saved.
 */
export const createDemoSavedSearches = async (
  transaction: Transaction,
  { searches, people, listings, campus, start }: SaveSearchesOptions,
): Promise<void> => {
  const past = createPastApp(transaction, campus);
  let first = start;
  for (const { person, daysAgo, ...form } of searches) {
    const savedAt = subtractDays(start, daysAgo);
    if (savedAt < first) first = savedAt;
    await past.moveTo(savedAt);
    await saveSearch(past.app, getPersonByName(people, person).id, form);
  }
  // Saved searches are matched only with listings that are published after the search was saved.
  const matched = listings
    .filter(({ draft, createdAt }) => !draft && createdAt > first)
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  for (const { id, createdAt } of matched) {
    await past.moveTo(createdAt);
    await past.matchListing(id);
  }
  await past.moveTo(start);
  await past.finish();
};
