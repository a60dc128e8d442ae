import { toCampusDay } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { findConversationOpeningError } from './policy.ts';
import { findConversationId, findPublishedListing, insertConversation } from './repository.ts';

/**
 * Returns the id of the buyer's conversation about a published listing, and creates it if there is none. Throws
 * listing_not_found when the listing is not published or its game has passed, own_listing when it belongs to the buyer,
 * and contact_refused when the two people may not contact each other.
 */
export const findOrCreateConversation = async (
  { config: { campus } }: App,
  sql: Queryable,
  { now, ...parties }: { listingId: string; buyerId: string; now: Date },
): Promise<string> => {
  const pair = { ...parties, today: toCampusDay(campus, now) };
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
