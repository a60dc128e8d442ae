import { fragment } from '#server/platform/postgres/sql-fragments.ts';

/**
 * Returns the SQL of a common table expression that records the price of a listing if everybody can see it, or could until
 * its owner was suspended or deleted it. A statement that hides the listing needs it, because its owner may then store
 * other prices before it is published again.
 */
export const toPublicPriceRecord = (id: string, now: Date) => fragment`
  public_price AS (
    INSERT INTO listing_prices (listing_id, price, rental_period, until)
    SELECT id, price, rental_period, ${now} FROM listings
    WHERE id = ${id} AND (coalesce(status_before_deletion, status) IN ('published', 'sold') OR hidden_with = 'account'))`;
