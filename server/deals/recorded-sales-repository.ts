import type { Queryable } from '#server/platform/postgres/database.ts';

/**
 * Locks a buyer's conversation about a listing until the transaction ends and returns its id, or undefined when there
 * is none.
 */
export const lockConversationAboutListing = async (
  tx: Queryable,
  { listingId, buyerId }: { listingId: string; buyerId: string },
): Promise<string | undefined> => {
  const [row] = await tx<{ id: string }[]>`
    SELECT id FROM conversations WHERE listing_id = ${listingId} AND buyer_id = ${buyerId} FOR NO KEY UPDATE`;
  return row?.id;
};
