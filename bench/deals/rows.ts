import type { Sql } from '#server/platform/postgres/database.ts';
import { addUser } from '../people.ts';

/** A buyer, and the listing for rent about which the buyer writes messages and makes deals. */
export interface BuyerWithListing {
  buyerEmail: string;
  listingId: string;
}

export const sellerEmail = 'seller@usc.edu';

/**
 * Creates a seller with `count` listings for rent, and `count` buyers; assigns each buyer one of the
 * listings.
 */
export const addBuyersWithListings = async (sql: Sql, count: number): Promise<BuyerWithListing[]> => {
  const sellerId = await addUser(sql, sellerEmail);
  const buyers: BuyerWithListing[] = [];
  for (let number = 1; number <= count; number += 1) {
    const buyerEmail = `buyer-${number}@usc.edu`;
    await addUser(sql, buyerEmail);
    const [row] = await sql<{ id: string }[]>`
      INSERT INTO listings (slug, user_id, title, description, price, category, condition, location, status, contact_email,
        created_at, updated_at, published_at)
      VALUES (${`bike-${number}`}, ${sellerId}, 'A bike with a basket', 'A bike with a basket, two locks and new tires.', 12, 'rentals', 'good',
        'Village', 'published', ${sellerEmail}, now(), now(), now()) RETURNING id`;
    if (row) buyers.push({ buyerEmail, listingId: row.id });
  }
  return buyers;
};

/**
 * Creates open deals whose deadlines are in the next two days. Only their number matters, so the
 * listings, conversations and people that they refer to do not exist. The database role must be a
 * superuser.
 */
export const addOpenDeals = async (sql: Sql, count: number): Promise<void> => {
  await sql.begin(async (tx) => {
    // Disable foreign-key checks.
    await tx`SET LOCAL session_replication_role = replica`;
    await tx`
      INSERT INTO deals (listing_id, conversation_id, buyer_id, seller_id, kind, state, turn, title, price, deadline_at,
        next_notice_at, created_at, changed_at)
      SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'sale',
        CASE WHEN n % 4 = 0 THEN 'held' ELSE 'offered' END, CASE WHEN n % 4 = 0 THEN NULL ELSE 'seller' END, 'A desk', 40,
        now() + interval '1 hour' + n % 2880 * interval '1 minute', now() + interval '1 day', now(), now()
      FROM generate_series(1, ${count}::int) AS n`;
  });
  await sql`VACUUM ANALYZE deals`;
};

/**
 * Creates one offer for each of the newest `count` published listings, from varying buyers. All offers expire
 * at `deadline`.
 */
export const addExpiringOffers = async (sql: Sql, count: number, deadline: Date): Promise<void> => {
  await sql`
    WITH subjects AS (
      SELECT l.*, row_number() OVER () AS number FROM (
        SELECT id, title, user_id FROM listings WHERE status = 'published' AND category <> 'rentals'
        ORDER BY created_at DESC LIMIT ${count}) AS l
    ), buyers AS (
      SELECT id, row_number() OVER () AS number, count(*) OVER () AS total FROM users WHERE email LIKE 'student-%'
    ), talks AS (
      INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at)
      SELECT subject.id, title, buyer.id, user_id, now(), now() FROM subjects AS subject
      JOIN buyers AS buyer ON buyer.number = 1 + subject.number % buyer.total AND buyer.id <> subject.user_id
      RETURNING *
    )
    INSERT INTO deals (listing_id, conversation_id, buyer_id, seller_id, kind, state, turn, title, price, deadline_at,
      next_notice_at, created_at, changed_at)
    SELECT listing_id, id, buyer_id, seller_id, 'sale', 'offered', 'seller', 'A desk', 40, ${deadline}, NULL, now(), now()
    FROM talks`;
};
