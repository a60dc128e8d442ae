import { createProblem } from '#contract/errors.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { findConversationOpeningError } from './policy.ts';
import { findConversationId, findPublishedListing, insertConversation } from './repository.ts';

/**
 * Returns the id of the buyer's conversation about a published listing, and creates it if there is none. Throws
 * listing_not_found when the listing is not published, own_listing when it belongs to the buyer, and contact_refused
 * when the two people may not contact each other.
 */
export const findOrCreateConversation = async (
  sql: Queryable,
  { now, ...pair }: { listingId: string; buyerId: string; now: Date },
): Promise<string> => {
  const refusal = findConversationOpeningError(await findPublishedListing(sql, pair), pair.buyerId);
  if (refusal) throw createProblem(refusal);
  const known = await findConversationId(sql, pair);
  if (known !== undefined) return known;
  await insertConversation(sql, { ...pair, now });
  // If a concurrent call has created the conversation first, this statement finds it.
  const id = await findConversationId(sql, pair);
  // The check above found the listing published, but it has been deleted or
  // unpublished since.
  if (id === undefined) throw createProblem('listing_not_found');
  return id;
};
