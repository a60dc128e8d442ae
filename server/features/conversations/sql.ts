import { reservingDealStates } from '#contract/deal-states.ts';
import {
  type Fragment,
  fragment,
  joinFragments,
  quoteLiterals,
  type SqlValue,
  trustedSql,
} from '#server/platform/postgres/sql-fragments.ts';

/**
 * The columns of `conversations` that exist twice, as `buyer_…` and `seller_…`. docs/architecture.md ("Messages") explains
 * them.
 */
interface PartyColumns {
  id: Fragment;
  read_seq: Fragment;
  acted_seq: Fragment;
  seen_at: Fragment;
  waiting_since: Fragment;
  waiting_from: Fragment;
  archived_seq: Fragment;
  muted_until: Fragment;
  marked_unread: Fragment;
}

const toPartyColumns = (party: 'buyer' | 'seller'): PartyColumns => ({
  id: trustedSql(`${party}_id`),
  read_seq: trustedSql(`${party}_read_seq`),
  acted_seq: trustedSql(`${party}_acted_seq`),
  seen_at: trustedSql(`${party}_seen_at`),
  waiting_since: trustedSql(`${party}_waiting_since`),
  waiting_from: trustedSql(`${party}_waiting_from`),
  archived_seq: trustedSql(`${party}_archived_seq`),
  muted_until: trustedSql(`${party}_muted_until`),
  marked_unread: trustedSql(`${party}_marked_unread`),
});
const buyer = toPartyColumns('buyer');
const seller = toPartyColumns('seller');

/** Returns the assignments of an UPDATE of `conversations`: those given, for the columns of the buyer and of the seller. */
export const setForEachParty = (toAssignments: (party: PartyColumns) => Fragment): Fragment =>
  joinFragments([toAssignments(buyer), toAssignments(seller)], ', ');

/** Returns the assignments of an UPDATE of `conversations` that set columns of one party and keep those of the other. */
export const setForParty = (
  userId: SqlValue,
  toValues: (party: PartyColumns) => Partial<Record<keyof PartyColumns, SqlValue>>,
): Fragment =>
  setForEachParty((party) =>
    joinFragments(
      Object.entries(toValues(party)).map(([name, value]) => {
        const column = party[name as keyof PartyColumns];
        return fragment`${column} = CASE WHEN ${party.id} = ${userId} THEN ${value} ELSE ${column} END`;
      }),
      ', ',
    ),
  );

/** Returns the condition that the buyer or the seller of a conversation fulfills the given one. */
export const whereEitherParty = (toCondition: (party: PartyColumns) => Fragment): Fragment =>
  fragment`(${joinFragments([toCondition(buyer), toCondition(seller)], ' OR ')})`;

const toSideSql = (own: PartyColumns, other: PartyColumns, isVisible: Fragment): Fragment => fragment`
  SELECT id, listing_id, listing_title, buyer_id, seller_id, last_seq, created_at, updated_at,
    ${own.id} AS user_id, ${other.id} AS other_id, ${own.read_seq} AS read_seq, ${other.read_seq} AS other_read_seq, ${own.acted_seq} AS acted_seq,
    ${own.seen_at} AS seen_at, ${own.waiting_since} AS waiting_since, ${own.waiting_from} AS waiting_from,
    ${own.archived_seq} AS archived_seq, ${own.muted_until} AS muted_until, ${own.marked_unread} AS marked_unread,
    ${isVisible} AS is_visible
  FROM conversations`;

/**
 * A table for FROM with two rows of each conversation, one for each party (`user_id`), whose columns have no prefix. The
 * seller sees a conversation only after its first message (`is_visible`): when a buyer merely opens a conversation, the
 * seller must not notice. The table has no condition of its own: PostgreSQL would not read it in the order of an index.
 */
const buyerSide = toSideSql(buyer, seller, fragment`true`);
const sellerSide = toSideSql(seller, buyer, fragment`last_seq > 0`);
export const conversationSides = fragment`(${buyerSide} UNION ALL ${sellerSide})`;

/** Tables for FROM like `conversationSides`, with one party only. */
export const buyerSides = fragment`(${buyerSide})`;
export const sellerSides = fragment`(${sellerSide})`;

/**
 * Returns the SQL condition that an open deal waits for a party: for an answer to an offer or to suggested times, or for
 * the confirmation that the party got the item or has it back. `side` is the alias of a row of `conversationSides`.
 */
const toOwnTurnSql = (side: string): string =>
  `EXISTS (SELECT FROM deals d WHERE d.conversation_id = ${side}.id AND CASE d.state
    WHEN 'offered' THEN d.turn = CASE WHEN ${side}.user_id = d.buyer_id THEN 'buyer' ELSE 'seller' END AND NOT d.is_waiting
    WHEN 'held' THEN d.handover_proposed_by = CASE WHEN ${side}.user_id = d.buyer_id THEN 'seller' ELSE 'buyer' END
    WHEN 'handed_over' THEN ${side}.user_id = d.buyer_id
    WHEN 'back' THEN ${side}.user_id = d.seller_id
    ELSE false END)`;

/**
 * Returns the SQL condition that a party has archived a conversation. It ends with the next message, and does not hold
 * while a deal waits for the party.
 */
export const toArchivedSql = (side: string): string =>
  `(${side}.archived_seq IS NOT NULL AND ${side}.archived_seq >= ${side}.last_seq AND NOT ${toOwnTurnSql(side)})`;

/** Returns the SQL condition that a party has muted the messages of a conversation at a time. */
export const toMutedAtSql = (side: string, now: Date): Fragment =>
  fragment`coalesce(${trustedSql(side)}.muted_until > ${now}, false)`;

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
