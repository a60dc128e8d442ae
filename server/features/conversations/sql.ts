import { reservingDealStates } from '#contract/deal-states.ts';
import {
  type Fragment,
  fragment,
  quoteLiterals,
  type SqlValue,
} from '#server/platform/postgres/sql-fragments.ts';

/**
 * Returns the SQL condition that a deal records whether a buyer got a listing that its owner has marked as sold to them:
 * the deal holds the item, or was completed afterwards. A rental deal does not record another rental that ends later.
 */
export const toSaleInDealCondition = ({
  listingId,
  buyerId,
}: Record<'listingId' | 'buyerId', SqlValue>): Fragment => fragment`
  EXISTS (SELECT FROM deals d JOIN listings sold ON sold.id = d.listing_id
    WHERE d.listing_id = ${listingId} AND d.buyer_id = ${buyerId}
      AND (d.state IN ${quoteLiterals(reservingDealStates)} OR d.completed_at > sold.sold_at
        AND (d.last_day IS NULL OR sold.rented_until IS NULL OR sold.rented_until <= d.last_day)))`;
