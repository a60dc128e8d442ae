import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ListingPage } from '#contract/listing-queries.ts';
import { callApi, type Deployment, postListing, type Student } from '../support/students.ts';
import { repeatUntilAcknowledged } from './writers-and-readers.ts';

/**
 * The result of a test in which a person repeatedly changes the title of their listing and then searches for
 * it.
 */
export interface SearcherResult {
  /** Number of title changes after each of which the person searched for the new title. */
  changes: number;
  /**
   * Number of title changes that were not in the first search result, because the host that served the search
   * did not know them yet.
   */
  foundLater: number;
  /**
   * The longest time in ms for which searches still did not find an acknowledged change; 0 when every first
   * search found it.
   */
  longestMissingMs: number;
}

const pauseMs = 500;
/**
 * Maximum time in ms until a search must find a change. Without Redis, hosts learn of a change after up to 2
 * s; the rest is for a busy machine.
 */
const maxMissingMs = 10_000;

const createWord = (): string =>
  Array.from({ length: 12 }, () => String.fromCharCode(97 + randomInt(26))).join('');

/**
 * Repeatedly changes the title of a listing and searches for it, until `isDone` returns true. Throws when
 * searches succeed but do not find the acknowledged title in time.
 */
export const searchForOwnListing = async (
  quad: Deployment,
  seller: Student,
  isDone: () => boolean,
): Promise<SearcherResult> => {
  const result: SearcherResult = { changes: 0, foundLater: 0, longestMissingMs: 0 };
  const { id } = await repeatUntilAcknowledged(() => postListing(quad, seller, 'A lamp to search for'));
  while (!isDone()) {
    const word = createWord();
    await repeatUntilAcknowledged(() => postListing(quad, seller, `Lamp ${word}`, { id }));
    const acknowledgedAt = performance.now();
    for (let isFound = false, misses = 0; !isFound; ) {
      const askedMs = performance.now() - acknowledgedAt;
      const { items } = await repeatUntilAcknowledged(() =>
        callApi<ListingPage>(quad, `/rest/v1/listings?q=${word}`),
      );
      isFound = items.some((listing) => listing.id === id);
      if (isFound) continue;
      misses += 1;
      if (misses === 1) result.foundLater += 1;
      result.longestMissingMs = Math.max(result.longestMissingMs, Math.round(askedMs));
      if (askedMs > maxMissingMs)
        throw new Error(`A search did not find what had been acknowledged ${Math.round(askedMs)} ms before`);
      await delay(50);
    }
    result.changes += 1;
    await delay(pauseMs);
  }
  return result;
};
