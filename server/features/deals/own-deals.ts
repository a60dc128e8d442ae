import type { DealParty } from '#contract/deal-states.ts';
import { createProblem } from '#contract/errors.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { getDealParty } from './presenter.ts';
import { type LockedDeal, lockDealsAndListings } from './transitions.ts';

declare const ownBrand: unique symbol;

/** A locked deal, one of whose parties is the caller. Only `lockOwnDeals` creates it. */
export type OwnDeal = LockedDeal & { actor: DealParty; readonly [ownBrand]: true };

type Parties = Pick<LockedDeal['deal'], 'buyer_id' | 'seller_id'>;

const getOtherId = (deal: Parties, userId: string): string | null =>
  deal.buyer_id === userId ? deal.seller_id : deal.buyer_id;

/**
 * Locks a person's deals, all of them with the same other party, and returns them in the given order. Throws
 * deal_not_found when one does not exist or has other parties.
 */
export const lockOwnDeals = async (
  tx: Queryable,
  ids: readonly [string, ...string[]],
  userId: string,
): Promise<[OwnDeal, ...OwnDeal[]]> => {
  const locked = await lockDealsAndListings(tx, ids);
  const [first, ...further] = ids.map((id) => {
    const found = locked.find(({ deal }) => deal.id === id);
    if (!found || (found.deal.buyer_id !== userId && found.deal.seller_id !== userId))
      throw createProblem('deal_not_found');
    return { ...found, actor: getDealParty(found.deal, userId) } as OwnDeal;
  });
  const otherId = first && getOtherId(first.deal, userId);
  if (!first || further.some(({ deal }) => getOtherId(deal, userId) !== otherId))
    throw createProblem('deal_not_found');
  return [first, ...further];
};
