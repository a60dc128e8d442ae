import type { ReviewPage } from '#contract/reviews.ts';
import { importLazyScript } from '#web/lib/lazy-script.ts';

/**
 * Loads another page of a person's reviews. The API client and the call declarations are loaded on first
 * use.
 */
export const loadReviews = async (userId: string, cursor: string): Promise<ReviewPage> => {
  const [{ request }, { calls }] = await importLazyScript(() =>
    Promise.all([import('#web/lib/api.ts'), import('#contract/calls.ts')]),
  );
  return request(calls.listUserReviews, { params: { id: userId }, query: { cursor } });
};
