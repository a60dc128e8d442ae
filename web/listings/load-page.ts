import type { ListingPage, ListingQuery } from '#contract/listings.ts';
import { lazyScript } from '#web/lib/lazy-script.ts';

/** Reads a page of listings in the browser. The client and the call table come with the first use of it. */
export const loadPage = async (query: Partial<ListingQuery>): Promise<ListingPage> => {
  const [{ request }, { calls }] = await lazyScript(() =>
    Promise.all([import('#web/lib/api.ts'), import('#contract/calls.ts')]),
  );
  return request(calls.listListings, { query });
};
