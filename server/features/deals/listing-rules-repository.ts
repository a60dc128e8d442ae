import { openDealStates, rentedOutDealStates, serverEndableDealStates } from '#contract/deal-states.ts';
import { toSaleInDealCondition } from '#server/features/conversations/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment } from '#server/platform/postgres/sql-fragments.ts';

export const hasOpenDeals = async (tx: Queryable, listingId: string): Promise<boolean> => {
  const rows = await tx`
    SELECT 1 FROM deals
    WHERE listing_id = ${listingId} AND state = ANY (${openDealStates}) LIMIT 1`;
  return rows.length > 0;
};

/** Returns whether somebody has ever claimed a free item, even if no claim is left. */
export const hasEverBeenClaimed = async (tx: Queryable, listingId: string): Promise<boolean> => {
  const rows = await tx`SELECT 1 FROM deals WHERE listing_id = ${listingId} AND kind = 'gift' LIMIT 1`;
  return rows.length > 0;
};

/** Returns whether a handover of a sale or gift is still unconfirmed. Ignores the deals of the given buyer. */
export const hasUnconfirmedHandover = async (
  tx: Queryable,
  { listingId, exceptBuyerId }: { listingId: string; exceptBuyerId?: string | undefined },
): Promise<boolean> => {
  const rows = await tx`
    SELECT 1 FROM deals
    WHERE listing_id = ${listingId} AND state = 'handed_over' AND kind <> 'rental'
      AND buyer_id IS DISTINCT FROM ${exceptBuyerId ?? null}::uuid LIMIT 1`;
  return rows.length > 0;
};

/** Returns whether a deal records that the buyer to whom a listing was sold got it. */
export const isSaleInDeal = async (
  tx: Queryable,
  { listingId, buyerId }: { listingId: string; buyerId: string },
): Promise<boolean> => {
  const rows = await tx`SELECT 1 WHERE ${toSaleInDealCondition({ listingId, buyerId })}`;
  return rows.length > 0;
};

/** Matches rentals from when the owner says that the item was handed over until the owner confirms its return. */
const unreturnedRentalCondition = fragment`(kind = 'rental' AND state = ANY (${rentedOutDealStates}))`;

export const isRentedOut = async (tx: Queryable, listingId: string): Promise<boolean> => {
  const rows =
    await tx`SELECT 1 FROM deals WHERE listing_id = ${listingId} AND ${unreturnedRentalCondition} LIMIT 1`;
  return rows.length > 0;
};

/** Returns whether a person, as owner or renter, has a rental that has not been returned. */
export const hasUnreturnedRental = async (tx: Queryable, userId: string): Promise<boolean> => {
  const rows = await tx`
    SELECT 1 FROM deals WHERE (buyer_id = ${userId} OR seller_id = ${userId}) AND ${unreturnedRentalCondition} LIMIT 1`;
  return rows.length > 0;
};

export const listOfferAndHoldIdsOfPerson = async (tx: Queryable, userId: string): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    SELECT id FROM deals WHERE (buyer_id = ${userId} OR seller_id = ${userId}) AND state = ANY (${serverEndableDealStates})`;
  return rows.map(({ id }) => id);
};

export const listOfferAndHoldIdsOfPair = async (
  tx: Queryable,
  [one, other]: readonly [string, string],
): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    SELECT id FROM deals
    WHERE ((buyer_id = ${one} AND seller_id = ${other}) OR (buyer_id = ${other} AND seller_id = ${one}))
      AND state = ANY (${serverEndableDealStates})`;
  return rows.map(({ id }) => id);
};
