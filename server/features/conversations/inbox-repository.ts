import type { CampusTimeZone } from '#contract/campus.ts';
import {
  type Conversation,
  type ConversationDeal,
  inboxPageSize,
  type ListedConversation,
  lastMessagePreviewLength,
  newAccountDays,
} from '#contract/conversations.ts';
import { openDealStates } from '#contract/deal-states.ts';
import { type InboxTab, maxFoundMessages } from '#contract/inbox.ts';
import type { Listing, ListingStatus } from '#contract/listings.ts';
import { presentRentalTimes } from '#contract/rental-times.ts';
import {
  getSaleOutcome,
  saleConfirmationDays,
  soldListingPageDays,
  type UnavailableReason,
} from '#contract/selling.ts';
import { toPublicPageCondition, toUnavailableSql } from '#server/features/listing-visibility/sql.ts';
import { type CoverRow, coverColumns, presentCover } from '#server/features/photos/sql.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { type ListPosition, toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import type { JoinedColumns, LeftJoinedColumns } from '#server/platform/postgres/joined-row.ts';
import {
  type Fragment,
  fragment,
  quoteLiterals,
  trustedSql,
} from '#server/platform/postgres/sql-fragments.ts';
import { toMayWriteSql } from './contact-sql.ts';
import { toExcerpt, toFoundMessagesJoin, toSearchFragments } from './inbox-search.ts';
import { getActivityLevel } from './shared-activity.ts';
import { toSharedSql } from './shared-activity-repository.ts';
import {
  buyerSides,
  conversationSides,
  sellerSides,
  toArchivedSql,
  toMutedAtSql,
  toSaleInDealCondition,
} from './sql.ts';
import { toUnreadCountSql } from './unread-count.ts';

export interface InboxPage {
  conversations: ListedConversation[];
  /** Position of the last conversation on this page, or undefined when no more conversations follow. */
  end: ListPosition | undefined;
}

type OtherParty = NonNullable<Conversation['other']>;
type LastMessage = NonNullable<Conversation['last_message']>;

/** The columns of a listing that nobody but its owner may see unless the listing has a public page. */
type PublicListingColumns = CoverRow &
  JoinedColumns<
    'listing',
    Pick<Listing, 'slug' | 'price' | 'category' | 'rental_period'> & {
      status: ListingStatus;
      unavailable: UnavailableReason | null;
      away_until: string | null;
      is_sale_asked: boolean;
    }
  >;

/** A row with `conversationColumns`. */
type ConversationRow = Pick<
  Conversation,
  'id' | 'listing_id' | 'buyer_id' | 'seller_id' | 'unread_count' | 'may_write'
> & {
  /** Null unless the parties share what they have read and when they are active. */
  other_read_seq: number | null;
  active_at: Date | null;
  listing_title: string;
  updated_at: Date;
  archived: boolean;
  muted_until: Date | null;
} & (({ has_listing_page: true } & PublicListingColumns) | { has_listing_page: false | null }) &
  LeftJoinedColumns<'other', OtherParty> &
  LeftJoinedColumns<'deal', Omit<ConversationDeal, 'handover_at'> & { handover_at: Date | null }> &
  LeftJoinedColumns<'last', Omit<LastMessage, 'created_at'> & { created_at: Date }>;

const unreadCountSql = trustedSql(toUnreadCountSql('c'));
const archivedSql = trustedSql(toArchivedSql('c'));
const mayWriteSql = trustedSql(toMayWriteSql({ id: 'c.id', one: 'c.user_id', other: 'c.other_id' }));

/** The columns for `presentConversation`. The title is public, even if the page of a sold listing no longer exists. */
const conversationColumns = fragment`
  c.id, CASE WHEN l.deleted_at IS NULL THEN c.listing_id END AS listing_id, c.buyer_id, c.seller_id, c.updated_at,
  CASE WHEN l.status IN ('published', 'sold') THEN l.title ELSE c.listing_title END AS listing_title,
  l.has_page AS has_listing_page, l.status AS listing_status, l.unavailable AS listing_unavailable, l.away_until AS listing_away_until, l.is_sale_asked AS listing_is_sale_asked,
  l.slug AS listing_slug, l.price AS listing_price, l.category AS listing_category,
  l.rental_period AS listing_rental_period, ${coverColumns},
  other.id AS other_id, other.display_name AS other_name, other.avatar_url AS other_avatar_url,
  other.usc_verified AS other_usc_verified, other.rating AS other_rating, other.review_count AS other_review_count,
  other.is_new_account AS other_is_new_account,
  m.seq AS last_seq, m.sender_id AS last_sender_id,
  left(m.message_text, ${lastMessagePreviewLength}) AS last_message_text, m.created_at AS last_created_at,
  m.kind AS last_kind, m.data AS last_data,
  d.kind AS deal_kind, d.state AS deal_state, d.turn AS deal_turn, d.price AS deal_price, d.last_day AS deal_last_day,
  d.return_time AS deal_return_time, d.is_waiting AS deal_waiting, d.handover_at AS deal_handover_at,
  d.handover_proposed_by AS deal_handover_proposed_by,
  activity.other_read_seq, activity.active_at, ${unreadCountSql} AS unread_count, ${mayWriteSql} AS may_write`;

const toColumns = (now: Date): Fragment => fragment`
  ${conversationColumns}, ${archivedSql} AS archived, CASE WHEN ${toMutedAtSql('c', now)} THEN c.muted_until END AS muted_until`;

interface InboxReader {
  userId: string;
  campus: CampusTimeZone;
  now: Date;
  /** Current date on the campus, YYYY-MM-DD. */
  today: string;
}

// CASE skips the search for a deal when the listing was sold to nobody; AND would continue after a comparison with NULL.
const toConversationJoins = ({ userId, now, today }: InboxReader): Fragment => fragment`
  LEFT JOIN (
    SELECT *,
      ${toPublicPageCondition({ soldAfter: addSeconds(now, -soldListingPageDays * dayInSeconds), today })} AS has_page,
      ${toUnavailableSql(today)} AS unavailable,
      CASE WHEN sold_to = ${userId} AND sale_confirmed_at IS NULL
        AND sold_at > ${addSeconds(now, -saleConfirmationDays * dayInSeconds)}
      THEN NOT ${toSaleInDealCondition({ listingId: trustedSql('l.id'), buyerId: trustedSql('l.sold_to') })}
      ELSE false END AS is_sale_asked
    FROM listings l
  ) l ON l.id = c.listing_id
  LEFT JOIN private.objects cover ON cover.url = l.photos[1]
  LEFT JOIN (SELECT *, created_at > ${addSeconds(now, -newAccountDays * dayInSeconds)} AS is_new_account FROM users) other
    ON other.id = c.other_id
  LEFT JOIN messages m ON m.conversation_id = c.id AND m.seq = c.last_seq
  LEFT JOIN LATERAL (
    SELECT * FROM deals WHERE conversation_id = c.id AND state IN ${quoteLiterals(openDealStates)}
    ORDER BY created_at DESC LIMIT 1
  ) d ON true
  LEFT JOIN LATERAL (
    SELECT c.other_read_seq,
      (SELECT max(last_used_at) FROM private.sessions WHERE user_id = c.other_id) AS active_at
    WHERE ${toSharedSql('show_seen', 'c')}
  ) activity ON true`;

/** A draft, which only its owner may see, is presented like a deleted listing. */
const presentListing = (row: ConversationRow): Conversation['listing'] =>
  row.has_listing_page
    ? {
        title: row.listing_title,
        available:
          row.listing_status === 'published' &&
          (row.listing_unavailable === null || row.listing_unavailable === 'away'),
        unavailable: row.listing_unavailable,
        away_until: row.listing_unavailable === 'away' ? row.listing_away_until : null,
        outcome: row.listing_status === 'sold' ? getSaleOutcome(row.listing_category) : null,
        is_sale_asked: row.listing_is_sale_asked,
        slug: row.listing_slug,
        category: row.listing_category,
        price: row.listing_price,
        rental_period: row.listing_category === 'rentals' ? row.listing_rental_period : null,
        cover: presentCover(row),
      }
    : {
        title: row.listing_title,
        available: false,
        unavailable: null,
        away_until: null,
        outcome: null,
        is_sale_asked: false,
        slug: null,
        category: null,
        price: null,
        rental_period: null,
        cover: null,
      };

const presentOther = (row: ConversationRow, reader: InboxReader): Conversation['other'] =>
  row.other_id === null
    ? null
    : {
        id: row.other_id,
        name: row.other_name,
        avatar_url: row.other_avatar_url,
        usc_verified: row.other_usc_verified,
        rating: row.other_rating,
        review_count: row.other_review_count,
        is_new_account: row.other_is_new_account,
        active: getActivityLevel(row.active_at, reader),
      };

const presentLastMessage = (row: ConversationRow): Conversation['last_message'] =>
  row.last_seq === null
    ? null
    : {
        seq: row.last_seq,
        sender_id: row.last_sender_id,
        message_text: row.last_message_text,
        created_at: row.last_created_at.toISOString(),
        kind: row.last_kind,
        data: row.last_data,
      };

const presentDeal = (row: ConversationRow): ConversationDeal | null =>
  row.deal_state === null
    ? null
    : {
        kind: row.deal_kind,
        state: row.deal_state,
        turn: row.deal_turn,
        price: row.deal_price,
        last_day: row.deal_last_day,
        ...presentRentalTimes({ return_time: row.deal_return_time }),
        waiting: row.deal_waiting,
        handover_at: row.deal_handover_at?.toISOString() ?? null,
        handover_proposed_by: row.deal_handover_proposed_by,
      };

const presentConversation = (row: ConversationRow, reader: InboxReader): Conversation => ({
  id: row.id,
  listing_id: row.listing_id,
  buyer_id: row.buyer_id,
  seller_id: row.seller_id,
  updated_at: row.updated_at.toISOString(),
  listing: presentListing(row),
  other: presentOther(row, reader),
  last_message: presentLastMessage(row),
  unread_count: row.unread_count,
  other_read_seq: row.other_read_seq,
  deal: presentDeal(row),
  may_write: row.may_write,
  archived: row.archived,
  muted_until: row.muted_until?.toISOString() ?? null,
});

type FoundMessage = NonNullable<ListedConversation['found']>[number];

const presentFound = (found: readonly FoundMessage[], searched: string): FoundMessage[] =>
  found.map((message) => ({
    ...message,
    message_text: toExcerpt(message.message_text, searched, lastMessagePreviewLength),
    created_at: new Date(message.created_at).toISOString(),
  }));

/**
 * Reads one row more than a page has, to detect whether more conversations follow. The limit is a
 * literal and not a parameter, so that the query planner knows it.
 */
const pageLimitClause = trustedSql(`LIMIT ${inboxPageSize + 1}`);
const noCondition = fragment``;

const toAfterCursorCondition = ({ time, id }: ListPosition): Fragment => {
  // The time is passed as text, because the driver would convert a timestamptz parameter to a Date and lose the
  // microseconds.
  const instant = fragment`${time}::text::timestamptz`;
  return fragment`AND updated_at <= ${instant} AND (updated_at < ${instant} OR side.id > ${id}::uuid)`;
};

/** What a person looks for in the inbox. */
export interface InboxFilter {
  tab: InboxTab;
  /** Whether to list archived conversations only, or none of them; a search finds both when it is undefined. */
  isArchived: boolean | undefined;
  /** The folded text of a search. */
  searched: string | undefined;
}

const sidesByTab: Record<InboxTab, Fragment> = {
  all: conversationSides,
  buying: buyerSides,
  selling: sellerSides,
  unread: conversationSides,
};
/** The inbox without tab, search or archived conversations. */
export const wholeInbox: InboxFilter = { tab: 'all', isArchived: false, searched: undefined };

const archivedSideSql = trustedSql(toArchivedSql('side'));
const unreadSideCondition = fragment`AND (side.read_seq < side.last_seq OR side.marked_unread)
  AND ${trustedSql(toUnreadCountSql('side'))} > 0`;

const toFilterConditions = ({ tab, isArchived }: InboxFilter): Fragment => fragment`
  ${isArchived === undefined ? noCondition : isArchived ? fragment`AND ${archivedSideSql}` : fragment`AND NOT ${archivedSideSql}`}
  ${tab === 'unread' ? unreadSideCondition : noCondition}`;

/**
 * Returns a page of a person's conversations, most recently active first. Without a search it reads about a page, however
 * many conversations the person has, unless most of them are archived or read.
 */
export const listInbox = async (
  sql: Queryable,
  reader: InboxReader,
  filter: InboxFilter,
  position: ListPosition | undefined,
): Promise<InboxPage> => {
  const { userId, now } = reader;
  const { searched } = filter;
  const search = searched === undefined ? undefined : toSearchFragments(searched);
  const rows = await sql<(ConversationRow & { position: string; found?: FoundMessage[] | null })[]>`
    SELECT ${toColumns(now)}, ${toCursorTimeSql(fragment`c.updated_at`)} AS position
      ${searched === undefined ? noCondition : fragment`, found.messages AS found`}
    FROM (
      SELECT side.* ${search?.columns ?? noCondition} FROM ${sidesByTab[filter.tab]} AS side ${search?.joins ?? noCondition}
      WHERE user_id = ${userId} AND is_visible ${position ? toAfterCursorCondition(position) : noCondition}
        ${toFilterConditions(filter)} ${search?.condition ?? noCondition}
      ORDER BY updated_at DESC, id ${pageLimitClause}
    ) c ${toConversationJoins(reader)}
      ${searched === undefined ? noCondition : toFoundMessagesJoin(searched, maxFoundMessages)}
    ORDER BY c.updated_at DESC, c.id`;
  const shown = rows.slice(0, inboxPageSize);
  const last = rows.length > inboxPageSize ? shown.at(-1) : undefined;
  return {
    conversations: shown.map((row) =>
      searched === undefined
        ? presentConversation(row, reader)
        : { ...presentConversation(row, reader), found: presentFound(row.found ?? [], searched) },
    ),
    end: last && { time: last.position, id: last.id },
  };
};

/** Returns a conversation of which the person is a party, or undefined for everyone else. */
export const findConversation = async (
  sql: Queryable,
  { id, ...reader }: InboxReader & { id: string },
): Promise<Conversation | undefined> => {
  const [row] = await sql<ConversationRow[]>`
    SELECT ${toColumns(reader.now)} FROM ${conversationSides} AS c ${toConversationJoins(reader)}
    WHERE c.id = ${id} AND c.user_id = ${reader.userId} AND c.is_visible`;
  return row && presentConversation(row, reader);
};
