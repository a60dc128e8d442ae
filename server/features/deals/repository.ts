import { type DealParty, openDealStates, reservingDealStates } from '#contract/deal-states.ts';
import type { PublicUser } from '#contract/profiles.ts';
import { type TicketValues, ticketColumns } from '#contract/tickets.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  columnList,
  type Fragment,
  fragment,
  quoteLiterals,
  toAssignments,
  toInsertedRows,
  trustedSql,
} from '#server/platform/postgres/sql-fragments.ts';
import type { DealRow, TransitionData } from './process.ts';

const columnNames: Record<keyof DealRow, true> = {
  id: true,
  listing_id: true,
  conversation_id: true,
  buyer_id: true,
  seller_id: true,
  kind: true,
  state: true,
  turn: true,
  title: true,
  price: true,
  ticket_price_cap: true,
  first_day: true,
  last_day: true,
  pickup_time: true,
  return_time: true,
  number: true,
  offer_count: true,
  deadline_at: true,
  is_waiting: true,
  draw_rank: true,
  hold_hours: true,
  spot_id: true,
  place: true,
  proposed_times: true,
  handover_proposed_by: true,
  handover_at: true,
  handover_agreed_at: true,
  agreed_spot_id: true,
  agreed_place: true,
  calendar_sequence: true,
  is_running_late: true,
  is_buyer_here: true,
  is_seller_here: true,
  is_buyer_late: true,
  is_seller_late: true,
  buyer_late_at: true,
  seller_late_at: true,
  has_agreed_in_chat: true,
  has_kept_hold: true,
  has_objected: true,
  requested_last_day: true,
  deposit: true,
  requested_extra_price: true,
  extra_price: true,
  cancelled_by: true,
  is_late: true,
  reported: true,
  is_contested: true,
  next_notice_at: true,
  created_at: true,
  changed_at: true,
  completed_at: true,
};
const columns = Object.keys(columnNames) as (keyof DealRow)[];
const dealColumns = trustedSql(columns.map((column) => `d.${column}`).join(', '));

/** A deal with data about its listing and the other deals about the listing. */
export interface DealWithContext extends DealRow, Required<TicketValues> {
  /** Whether another deal reserves the listing, or some of the days that a rental has or asks for. */
  is_reserved: boolean;
  /** Position among the open claims of a free item, counted from 1, or null for other deals. */
  position: number | null;
  /**
   * The minute on campus (YYYY-MM-DDTHH:MM) at which an earlier rental ends that has not been returned, or null when there is
   * none or the deal is not on hold.
   */
  earlier_rental_until: string | null;
  /** Whether the listing is published. */
  is_available: boolean;
  /** With the ticket values, they tell whether the listing offers tickets. */
  listing_category: string | null;
  listing_title: string | null;
  /** The day of the game that the item is for (YYYY-MM-DD), or null when there is none. */
  game_day: string | null;
  /** Whether the listing is sold, given away or rented for good. */
  is_listing_sold: boolean;
  is_listing_deleted: boolean;
  is_listing_in_review: boolean;
  /** The last day of a rental of the listing without a deal, or null when there is none. */
  rented_until: string | null;
  /** Whether a rental has photos of the item's condition. */
  has_photos: boolean;
  /** Whether the order of the claims has not been drawn yet. */
  is_draw_open: boolean;
  /** The closing time of an open draw, or null when there is none. */
  draw_closes_at: Date | null;
  buyer: PublicUser | null;
  seller: PublicUser | null;
  /** The landmarks of the meeting spots in `spot_id` and `agreed_spot_id`. */
  spot_landmark: string | null;
  agreed_landmark: string | null;
}

/** Returns the stored columns of a deal, without the data about its listing and other deals. */
export const toDealRow = (deal: DealWithContext): DealRow =>
  Object.fromEntries(columns.map((column) => [column, deal[column]])) as unknown as DealRow;

/**
 * Returns a deal after one of its own transitions, without reading it again, or undefined when the new state depends on
 * other deals that have not been read.
 */
export const toDealAfterTransition = (
  before: DealWithContext,
  deal: DealRow,
  { place, time, landmark = null }: TransitionData = {},
): DealWithContext | undefined => {
  if (deal.state === 'held' && before.state !== 'held' && deal.kind === 'rental') return undefined;
  return {
    ...before,
    ...deal,
    position: deal.state === 'offered' ? before.position : null,
    earlier_rental_until: deal.state === 'held' ? before.earlier_rental_until : null,
    spot_landmark: place ? landmark : before.spot_landmark,
    agreed_landmark: time ? landmark : before.agreed_landmark,
  };
};

/**
 * Returns the SQL of the key that sorts the deals of a listing's queue. Claims that took part in the draw (the lottery
 * for a free item) come first, in the order in which they were drawn; later claims follow by time.
 */
export const toQueueSortKeySql = (alias: string): Fragment =>
  trustedSql(`(coalesce(${alias}.draw_rank, 2147483647), ${alias}.created_at, ${alias}.id)`);

/**
 * Returns the SQL of the minutes of a rental on the clock of the campus, as the constraint in the database computes them. Days
 * and times are SQL; a rental without times lasts from the beginning of its first day to the end of its last day.
 */
export const toRentalRangeSql = ({
  firstDay,
  lastDay,
  pickupTime,
  returnTime,
}: Record<'firstDay' | 'lastDay' | 'pickupTime' | 'returnTime', Fragment>): Fragment => fragment`tsrange(
    ${firstDay} + coalesce(${pickupTime}, '00:00'::time), ${lastDay} + coalesce(${returnTime}, '24:00'::time))`;

/** The minutes of the rental of a row of `deals` with this alias. */
export const toDealRangeSql = (alias: string): Fragment =>
  toRentalRangeSql({
    firstDay: trustedSql(`${alias}.first_day`),
    lastDay: trustedSql(`${alias}.last_day`),
    pickupTime: trustedSql(`${alias}.pickup_time`),
    returnTime: trustedSql(`${alias}.return_time`),
  });

/** For held rentals: when an earlier rental of the item ends that has not been returned. */
export const earlierRentalColumn = fragment`CASE WHEN d.kind = 'rental' AND d.state = 'held' THEN (
    SELECT to_char(max(upper(${toDealRangeSql('o')})), 'YYYY-MM-DD"T"HH24:MI') FROM deals o
    WHERE o.listing_id = d.listing_id AND o.kind = 'rental' AND o.state IN ('handed_over', 'out')
      AND upper(${toDealRangeSql('o')}) <= lower(${toDealRangeSql('d')})
  ) END AS earlier_rental_until`;

const toPersonSql = (party: DealParty): Fragment =>
  trustedSql(`CASE WHEN ${party}.id IS NOT NULL THEN json_build_object('id', ${party}.id, 'name', ${party}.display_name,
    'avatar_url', ${party}.avatar_url, 'usc_verified', ${party}.usc_verified) END`);

/** The minutes of a rental with the extension that the renter has asked for. */
const requestedRangeSql = toRentalRangeSql({
  firstDay: trustedSql('d.first_day'),
  lastDay: trustedSql('coalesce(d.requested_last_day, d.last_day)'),
  pickupTime: trustedSql('d.pickup_time'),
  returnTime: trustedSql('d.return_time'),
});

/**
 * The SQL of the columns of `DealWithContext`, for a query of deals (alias `d`) that is joined with
 * `dealContextJoins`.
 */
export const dealContextColumns = fragment`${dealColumns},
  EXISTS (SELECT FROM deals o WHERE o.listing_id = d.listing_id AND o.id <> d.id AND o.state IN ${quoteLiterals(reservingDealStates)}
    AND (d.kind <> 'rental' OR ${toDealRangeSql('o')} && ${requestedRangeSql})
  ) AS is_reserved,
  CASE WHEN d.kind = 'gift' AND d.state = 'offered' THEN (
    SELECT count(*) FROM deals o
    WHERE o.listing_id = d.listing_id AND o.state = 'offered' AND ${toQueueSortKeySql('o')} <= ${toQueueSortKeySql('d')}
  ) END AS position,
  ${earlierRentalColumn},
  coalesce(l.status = 'published', false) AS is_available,
  l.category AS listing_category, l.title AS listing_title, ${columnList(ticketColumns.map((column) => `l.${column}`))},
  CASE WHEN l.category = 'game-day' THEN l.game_date END AS game_day,
  coalesce(l.status = 'sold', false) AS is_listing_sold,
  coalesce(l.deleted_at IS NOT NULL, false) AS is_listing_deleted,
  coalesce(l.status = 'in_review', false) AS is_listing_in_review,
  l.rented_until,
  d.kind = 'rental' AND EXISTS (
    SELECT FROM private.objects o WHERE o.deal_id = d.id AND o.message_id IS NOT NULL
  ) AS has_photos,
  coalesce(d.kind = 'gift' AND l.gift_mode = 'draw' AND l.drawn_at IS NULL, false) AS is_draw_open,
  CASE WHEN d.kind = 'gift' AND l.gift_mode = 'draw' AND l.drawn_at IS NULL THEN l.draw_closes_at END AS draw_closes_at,
  (SELECT s.landmark FROM meeting_spots s WHERE s.id = d.spot_id) AS spot_landmark,
  (SELECT s.landmark FROM meeting_spots s WHERE s.id = d.agreed_spot_id) AS agreed_landmark,
  ${toPersonSql('buyer')} AS buyer, ${toPersonSql('seller')} AS seller`;

export const dealContextJoins = fragment`
  LEFT JOIN listings l ON l.id = d.listing_id
  LEFT JOIN users buyer ON buyer.id = d.buyer_id
  LEFT JOIN users seller ON seller.id = d.seller_id`;

/** Returns the deals (alias `d`) that match `rest`, which is the SQL from the WHERE clause on. */
export const selectDeals = (sql: Queryable, rest: Fragment): Promise<readonly DealWithContext[]> =>
  sql<DealWithContext[]>`SELECT ${dealContextColumns} FROM deals d ${dealContextJoins} ${rest}`;

/** Finds deals and locks them until the transaction ends, in the order of their ids. Lock their listings first. */
export const lockDeals = (tx: Queryable, ids: readonly string[]): Promise<readonly DealWithContext[]> =>
  selectDeals(tx, fragment`WHERE d.id = ANY (${ids}::uuid[]) ORDER BY d.id FOR NO KEY UPDATE OF d`);

/** Finds a deal by its id. Returns undefined when the person is not one of its parties. */
export const findDeal = async (
  sql: Queryable,
  { id, userId }: { id: string; userId: string },
): Promise<DealWithContext | undefined> => {
  const [row] = await selectDeals(
    sql,
    fragment`WHERE d.id = ${id} AND ${userId} IN (d.buyer_id, d.seller_id)`,
  );
  return row;
};

export const findOpenDeal = async (
  sql: Queryable,
  { listingId, buyerId }: { listingId: string; buyerId: string },
): Promise<DealWithContext | undefined> => {
  const [row] = await selectDeals(
    sql,
    fragment`WHERE d.listing_id = ${listingId} AND d.buyer_id = ${buyerId} AND d.state IN ${quoteLiterals(openDealStates)}`,
  );
  return row;
};

export const insertDeal = async (tx: Queryable, deal: DealRow): Promise<void> => {
  await tx`INSERT INTO deals ${toInsertedRows(deal, columns)}`;
};

/** Updates the columns in which a deal differs from its previous state. */
export const updateDeal = async (tx: Queryable, before: DealRow, deal: DealRow): Promise<void> => {
  const changed = columns.filter((column) => deal[column] !== before[column]);
  await tx`UPDATE deals SET ${toAssignments(deal, changed)} WHERE id = ${deal.id}`;
};

/** Lists deals whose deadline has passed, earliest first. */
export const listDueDeals = async (sql: Queryable, now: Date, limit: number): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM deals WHERE deadline_at <= ${now} ORDER BY deadline_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
};
