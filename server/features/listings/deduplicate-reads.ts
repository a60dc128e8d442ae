import type { ListingPage } from '#contract/listing-queries.ts';
import type { Listing } from '#contract/listings.ts';

/** Returns the result of `read`, which may be shared with concurrent requests that have the same key. */
export type SharedRead<Output> = (key: unknown, read: () => Promise<Output>) => Promise<Output>;

/**
 * Creates a function that lets identical concurrent requests share the result of a read. A request never joins a read
 * that is already running, because that read may miss a change committed since it started; it waits for the next read,
 * which starts when the current one ends. If the current read fails, the waiting requests fail with it, so that nobody
 * waits for two timeouts.
 */
export const createSharedRead = <Output>(): SharedRead<Output> => {
  const current = new Map<string, Promise<Output>>();
  const next = new Map<string, Promise<Output>>();

  const start = (key: string, read: () => Promise<Output>): Promise<Output> => {
    const reading = read().finally(() => {
      if (current.get(key) === reading) current.delete(key);
    });
    current.set(key, reading);
    return reading;
  };

  return (input, read) => {
    const key = JSON.stringify(input);
    const running = current.get(key);
    if (!running) return start(key, read);
    const waiting = next.get(key);
    if (waiting) return waiting;
    const following = running.finally(() => next.delete(key)).then(() => start(key, read));
    next.set(key, following);
    return following;
  };
};

/** The reads of listings that concurrent requests share, because many visitors look at the same few pages. */
export interface SharedListingReads {
  /** Pages of lists, by their query. */
  pages: SharedRead<ListingPage>;
  /** Public listings, by their slug. */
  listings: SharedRead<Listing | undefined>;
}

export const createSharedListingReads = (): SharedListingReads => ({
  pages: createSharedRead(),
  listings: createSharedRead(),
});
