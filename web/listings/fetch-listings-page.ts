import type { ListingPage, ListingQuery } from '#contract/listing-queries.ts';
import { importLazyScript } from '#web/lib/lazy-script.ts';

/**
 * Fetches a page of listings in the browser. The API client and the call declarations are imported on
 * first use, because most visitors only see the first page, which is part of the HTML.
 */
export const fetchListingsPage = async (query: Partial<ListingQuery>): Promise<ListingPage> => {
  const [{ request }, { calls }] = await importLazyScript(() =>
    Promise.all([import('#web/lib/api.ts'), import('#contract/calls.ts')]),
  );
  return request(calls.listListings, { query });
};
