import type { ListingPage, ListingQuery } from '#contract/listing-queries.ts';
import { importLazyScript } from '#web/lib/lazy-script.ts';

/**
 * Loads a page of listings in the browser. The API client and the declarations of the calls are imported on first use,
 * because the first page is in the HTML.
 */
export const loadListingPage = async (query: Partial<ListingQuery>): Promise<ListingPage> => {
  const [{ request }, { calls }] = await importLazyScript(() =>
    Promise.all([import('#web/lib/api.ts'), import('#contract/calls.ts')]),
  );
  return request(calls.listListings, { query });
};
