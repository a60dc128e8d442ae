import type { z } from 'zod';
import { openDealStates, reservingDealStates, serverEndableDealStates } from '#contract/deal-states.ts';
import { maxListedReservedPeriods, maxListedWaitingDeals } from '#contract/deals.ts';
import type { RentalRules } from '#contract/rental-rules.ts';
import {
  type DealRentalPeriod,
  presentRentalTimes,
  type RentalPeriod,
  type rentalPeriodSchema,
} from '#contract/rental-times.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  type Fragment,
  fragment,
  quoteLiterals,
  toAssignments,
} from '#server/platform/postgres/sql-fragments.ts';
import type { DealRow } from './process.ts';
import {
  type DealWithContext,
  selectDeals,
  toDealRangeSql,
  toQueueSortKeySql,
  toRentalRangeSql,
} from './repository.ts';

/** Lists the open deals of a listing, in the order of its queue. */
export const listDealsOfListing = (sql: Queryable, listingId: string): Promise<readonly DealWithContext[]> =>
  selectDeals(
    sql,
    fragment`
      WHERE d.listing_id = ${listingId} AND d.state IN ${quoteLiterals(openDealStates)}
      ORDER BY d.state = 'offered', ${toQueueSortKeySql('d')} LIMIT ${maxListedWaitingDeals}`,
  );

/** Lists the ids of a listing's offers and holds in the order of its queue. */
export const listOfferAndHoldIds = async (sql: Queryable, listingId: string): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT d.id FROM deals d WHERE d.listing_id = ${listingId} AND d.state IN ${quoteLiterals(serverEndableDealStates)}
    ORDER BY ${toQueueSortKeySql('d')}`;
  return rows.map(({ id }) => id);
};

/**
 * Lists the listings whose deals have to be settled although nothing has queued it: sold, rented and draft listings with
 * offers or holds, which were sold or made a draft before a time, but not more than a week earlier, published listings
 * with waiting requests for rentals that end by `minute` (on campus), and offers for games before `today` (YYYY-MM-DD).
 */
export const listUnsettledListings = async (
  sql: Queryable,
  { before, today, minute }: { before: Date; today: string; minute: string },
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT l.id FROM deals d JOIN listings l ON l.id = d.listing_id
    WHERE d.state IN ${quoteLiterals(serverEndableDealStates)} AND l.deleted_at IS NULL
      AND CASE WHEN l.status = 'draft' THEN l.updated_at ELSE l.sold_at END
        BETWEEN ${before}::timestamptz - interval '7 days' AND ${before}
    UNION SELECT l.id FROM deals d JOIN listings l ON l.id = d.listing_id
    WHERE d.is_waiting AND d.last_day <= ${today}::date AND upper(${toDealRangeSql('d')}) <= ${minute}::timestamp
      AND l.status = 'published'
    UNION SELECT l.id FROM deals d JOIN listings l ON l.id = d.listing_id
    WHERE d.state = 'offered' AND l.category = 'game-day' AND l.game_date < ${today}::date AND l.deleted_at IS NULL
      AND l.status IN ('published', 'draft')`;
  return rows.map(({ id }) => id);
};

/** An offer that is displayed differently to its buyer after a transition of another deal. */
export interface ChangedOffer {
  conversation_id: string;
  buyer_id: string | null;
}

const toPeriodRangeSql = (period: DealRentalPeriod): Fragment =>
  toRentalRangeSql({
    firstDay: fragment`${period.first_day}::date`,
    lastDay: fragment`${period.last_day}::date`,
    pickupTime: fragment`${period.pickup_time ?? null}::time`,
    returnTime: fragment`${period.return_time ?? null}::time`,
  });

/**
 * Makes the other offers for the listing of this deal wait (for a rental: those that overlap with it). Returns the
 * changed offers. Leaves offers unchanged whose deadline has passed, so that the job that applies deadlines still
 * expires them.
 */
export const makeOtherOffersWait = (tx: Queryable, deal: DealRow): Promise<ChangedOffer[]> =>
  tx<ChangedOffer[]>`
    UPDATE deals o SET is_waiting = true, deadline_at = NULL, next_notice_at = NULL
    WHERE listing_id = ${deal.listing_id} AND state = 'offered' AND id <> ${deal.id} AND NOT is_waiting
      AND deadline_at > ${deal.changed_at}
      AND (kind <> 'rental'
        OR ${toDealRangeSql('o')} && ${toPeriodRangeSql(deal)})
    RETURNING conversation_id, buyer_id`;

/** Lists the open claims for a free item that come after a deal in the queue. */
export const listLaterClaims = (
  tx: Queryable,
  { id }: Pick<DealRow, 'id'>,
): Promise<readonly ChangedOffer[]> =>
  tx<ChangedOffer[]>`
    SELECT o.conversation_id, o.buyer_id FROM deals d JOIN deals o ON o.listing_id = d.listing_id
    WHERE d.id = ${id} AND o.state = 'offered' AND ${toQueueSortKeySql('o')} > ${toQueueSortKeySql('d')}`;

/** Marks an offer as no longer waiting, and stores its deadline and the time at which its first notice is due. */
export const markOfferNotWaiting = async (
  tx: Queryable,
  { id, deadline_at, next_notice_at }: Pick<DealRow, 'id' | 'deadline_at' | 'next_notice_at'>,
): Promise<void> => {
  await tx`UPDATE deals SET ${toAssignments({ is_waiting: false, deadline_at, next_notice_at })} WHERE id = ${id}`;
};

/**
 * Returns what a buyer sees of a published or sold listing and its queue: its category, the owner's rules for rentals, and the
 * number of other buyers' offers. Returns undefined when there is no such listing.
 */
export const findQueueFacts = async (
  sql: Queryable,
  { listingId, userId }: { listingId: string; userId: string },
): Promise<(RentalRules & { category: string; other_offers: number }) | undefined> => {
  const [row] = await sql<(RentalRules & { category: string; other_offers: number })[]>`
    SELECT l.category, l.min_rental_days, l.max_rental_days, l.handout_days,
      (SELECT count(*) FROM deals d WHERE d.listing_id = l.id AND d.state = 'offered' AND d.buyer_id <> ${userId}) AS other_offers
    FROM listings l WHERE l.id = ${listingId} AND l.status IN ('published', 'sold')`;
  return row;
};

/** Returns whether another deal reserves the listing, or a part of this period of a rental. */
export const isListingReserved = async (
  tx: Queryable,
  { listingId, dealId, period }: { listingId: string; dealId?: string; period?: RentalPeriod },
): Promise<boolean> => {
  const [row] = await tx<object[]>`
    SELECT 1 FROM deals o
    WHERE listing_id = ${listingId} AND state IN ${quoteLiterals(reservingDealStates)} AND id IS DISTINCT FROM ${dealId ?? null}::uuid
      ${period ? fragment`AND ${toDealRangeSql('o')} && ${toPeriodRangeSql(period)}` : fragment``}
    LIMIT 1`;
  return row !== undefined;
};

/**
 * Lists the periods, from the day `from` on, in which an item for rent is not available because of
 * a deal or because the owner has rented it out without one.
 */
export const listUnavailablePeriods = async (
  sql: Queryable,
  { listingId, from }: { listingId: string; from: string },
): Promise<z.infer<typeof rentalPeriodSchema>[]> => {
  const rows = await sql<(RentalPeriod & Pick<DealRow, 'pickup_time' | 'return_time'>)[]>`
    SELECT first_day, last_day, pickup_time, return_time FROM deals
    WHERE listing_id = ${listingId} AND kind = 'rental' AND state IN ${quoteLiterals(reservingDealStates)} AND last_day >= ${from}::date
    UNION ALL SELECT ${from}::date, rented_until, NULL, NULL FROM listings
    WHERE id = ${listingId} AND rented_until >= ${from}::date
    ORDER BY first_day, pickup_time NULLS FIRST LIMIT ${maxListedReservedPeriods}`;
  return rows.map(({ first_day, last_day, ...times }) => ({
    first_day,
    last_day,
    ...presentRentalTimes(times),
  }));
};
